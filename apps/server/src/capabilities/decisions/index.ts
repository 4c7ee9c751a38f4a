export { type Catalogue, openCatalogue } from './catalogue/catalogue.ts'
export { prepareAuctionDays } from './jobs.ts'
export { RequestLive, type HoldTimes } from './serving/request-holds.ts'
export {
  destinationOf,
  findAuctionOf,
  forgetReaders,
  listShowingsOf,
  listShowingsOfReaders,
} from './serving/operations-showings.ts'
export { claimsOf } from './serving/links.ts'
export { describeIndex } from './metrics.ts'
export { type Publisher, type Publishers, speaksFor } from './readers/publishers.ts'
export { type RequestReaders } from './readers/reader-of-request.ts'
export { userKeyAt } from './readers/reader-key.ts'
export { listPublisherKeysEver } from './readers/reads-publishers.ts'
export { spokenFor } from './readers/routes.ts'
export { savePurchase } from './readers/store-known-readers.ts'
export { createRecorder } from './records/record-writer.ts'
export { endHolds, keepHolds } from './serving/end-holds.ts'
export { SitePacing } from './serving/site-pacing.ts'
export type { PageQuery, KnownPage, PageIndex } from './serving/ad-request.ts'
export { type Served, servePlacements, worthOf } from './serving/serve.ts'
export {
  type Door,
  type DoorAsk,
  type DoorRequest,
  type DoorServed,
  type ReasonCounts,
  serveDoor,
} from './serving/door-request.ts'
export { type LinkShowing, linksOf, linksUnder, type ShowingLinks } from './serving/links.ts'
export { allOf, mapMaybe, type MaybePromise } from './serving/ad-request.ts'
export { isDryRequest, keepServed, type ServingDeps } from './serving/routes.ts'
export { landingOf, overridesOf } from './serving/present.ts'
export type { ReaderFields } from './readers/reader.ts'
export {
  type BannerContent,
  Content,
  type Overrides,
  type PlacementContent,
} from './catalogue/content.ts'
export { packLimits } from './serving/asked.ts'
export { judgeCampaign, type JudgedPair } from './catalogue/judge-campaign.ts'
