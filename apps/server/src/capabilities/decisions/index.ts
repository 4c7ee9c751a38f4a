export { type Catalogue, openCatalogue } from './catalogue.ts'
export { createExplainer, type Explainer } from './explain.ts'
export { clearSegmentsJob, keepAuctionDaysJob, prepareAuctionDays } from './jobs.ts'
export { RequestLive, type HoldTimes } from './live.ts'
export {
  destinationOf,
  findAuctionOf,
  forgetUser,
  listShowingsOf,
  listShowingsOfUser,
} from './operations-showings.ts'
export { claimsOf } from './links.ts'
export { createDecisionMetrics, describeIndex, measureCatalogue } from './metrics.ts'
export { measureReaders } from './reader-metrics.ts'
export { createReaders, type RequestReaders } from './reader-of-request.ts'
export type { Readers } from './reader.ts'
export { createRecorder } from './record-keeper.ts'
export type { Recorder } from './recorder.ts'
export { auctionRoutes } from './routes-auctions.ts'
export { explainRoutes } from './routes-explain.ts'
export { readerRoutes } from './routes-readers.ts'
export { servingRoutes } from './routes-serving.ts'
export { endHolds, keepHolds } from './settled.ts'
export { loadSegments, segmentsSubscriber } from './segments-feed.ts'
export { createSegmentMemory, type SegmentMemory } from './segments.ts'
export { SitePacing } from './site-pacing.ts'
export type { AskedPage, PageShortlists } from './turn.ts'
export { type Served, servePlacements, worthOf } from './serve.ts'
