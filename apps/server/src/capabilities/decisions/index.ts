export { type Catalogue, openCatalogue } from './catalogue/catalogue.ts'
export { createExplainer, type Explainer } from './explain/explain.ts'
export { prepareAuctionDays } from './jobs.ts'
export { RequestLive, type HoldTimes } from './serving/request-holds.ts'
export {
  destinationOf,
  findAuctionOf,
  forgetUser,
  listShowingsOf,
  listShowingsOfUser,
} from './serving/operations-showings.ts'
export { claimsOf } from './serving/links.ts'
export { createDecisionMetrics, describeIndex, measureCatalogue } from './metrics.ts'
export { measureReaders } from './readers/metrics.ts'
export { createReaders, type RequestReaders } from './readers/reader-of-request.ts'
export type { Readers } from './readers/reader.ts'
export { createRecorder } from './records/record-writer.ts'
export type { Recorder } from './records/recorder.ts'
export { auctionRoutes } from './records/routes.ts'
export { explainRoutes } from './explain/routes.ts'
export { readerRoutes } from './readers/routes.ts'
export { servingRoutes } from './serving/routes.ts'
export { endHolds, keepHolds } from './serving/end-holds.ts'
export { loadSegments, segmentsSubscriber } from './readers/segments-feed.ts'
export { createSegmentMemory, type SegmentMemory } from './readers/segments.ts'
export { SitePacing } from './serving/site-pacing.ts'
export type { AskedPage, KnownPage, PageIndex } from './serving/ad-request.ts'
export { type Served, servePlacements, worthOf } from './serving/serve.ts'
