export type { Claims, WinnerKeys } from './links/claims.ts'
export type { Conversion } from './conversions/conversion.ts'
export { convert } from './conversions/convert.ts'
export { eventFrom, eventIdOf, type TrackedEvent } from './intake/event.ts'
export { type Destination, landingUrl, type Utm } from './links/landing-url.ts'
export { createIngest, type Ingest } from './intake/ingest.ts'
export { parseKeyRing } from './links/key-ring.ts'
export { conversionRoutes } from './conversions/routes.ts'
export { createTrackingMetrics, measureStaged, type TrackingMetrics } from './metrics.ts'
export { privacyRoutes } from './privacy/routes.ts'
export { trackingAdminRoutes } from './settlement/routes.ts'
export { rescoreRoutes } from './rescoring/routes.ts'
export { trackingRoutes } from './intake/routes.ts'
export { createRequestLabeller, parseRanges } from './intake/labels.ts'
export {
  createSettler,
  openIngestPool,
  type SettledEvent,
  type Settlement,
} from './settlement/settler.ts'
export { type Batch, settledFeed } from './settlement/settled-feed.ts'
export { openSqliteSpool } from './intake/spool.ts'
export type { Spool } from './intake/spool.ts'
export { addQuarantined } from './settlement/store-quarantine.ts'
export type { Showing, TouchQuery } from './conversions/store.ts'
export { openThreadedSettler, type ThreadedSettler } from './settlement/threaded-settler.ts'
export { createSealer, type LinkLives, type Sealer } from './links/token.ts'
export { keepWaiting } from './conversions/waiting.ts'
export type { AuctionMatch, AuctionQuery, TooOld } from './intake/track.ts'
