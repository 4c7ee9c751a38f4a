export { type Catalogue, openCatalogue } from './catalogue/catalogue.ts'
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
export { describeIndex } from './metrics.ts'
export { type RequestReaders } from './readers/reader-of-request.ts'
export { createRecorder } from './records/record-writer.ts'
export { endHolds, keepHolds } from './serving/end-holds.ts'
export { SitePacing } from './serving/site-pacing.ts'
export type { PageQuery, KnownPage, PageIndex } from './serving/ad-request.ts'
export { type Served, servePlacements, worthOf } from './serving/serve.ts'
