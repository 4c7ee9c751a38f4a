export type { Classifier } from './classify/classifier.ts'
export { createFetcher } from './pages/fetcher.ts'
export { crawlSiteJob, crawlSitesJob, forgetPagesJob, visitPagesJob } from './pages/jobs.ts'
export { auctionSiteJob, auctionSitesJob } from './auction/jobs.ts'
export { type ContextualObserver, measureServeIndex, observeContextual } from './metrics.ts'
export { createOpenAiClassifier } from './classify/openai-classifier.ts'
export { appendBanner } from './auction/operations-auction.ts'
export { listWantedContent, type WantedDeps } from './pages/operations-wanted.ts'
export { openServeIndex, type ServeIndex } from './serving/serve-index.ts'
export {
  openAdProducts,
  openContentTaxonomy,
  openLexicalClassifier,
} from './classify/reference-data.ts'
export { contextualRoutes } from './routes.ts'
export { startRankerFeedback } from './serving/ranker-feedback.ts'
export { ReauctionWatcher } from './auction/watcher.ts'
