export { keepBlockedSessions } from './intake/blocked-sessions.ts'
export type { Claims, WinnerKeys } from './links/claims.ts'
export type { Conversion } from './conversions/conversion.ts'
export { convert } from './conversions/convert.ts'
export { eventFrom, eventIdOf, type TrackedEvent } from './intake/event.ts'
export { type Destination, landingUrl, type Utm } from './links/landing-url.ts'
export { createIngest } from './intake/ingest.ts'
export { parseKeyRing } from './links/key-ring.ts'
export { GIF, trackingRoutes } from './intake/routes.ts'
export { createRequestLabeller, rememberBots } from './intake/labels.ts'
export { keepDataCentres } from './intake/data-centres.ts'
export {
  createSettler,
  openIngestPool,
  type SettledEvent,
  type Settlement,
} from './settlement/settler.ts'
export { type Batch, settledFeed } from './settlement/settled-feed.ts'
export type { Showing, TouchQuery } from './conversions/store.ts'
export { openThreadedSettler } from './settlement/threaded-settler.ts'
export { createSealer, type Sealer } from './links/token.ts'
export type { AuctionMatch, AuctionQuery } from './intake/track.ts'
