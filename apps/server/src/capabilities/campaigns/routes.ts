import type { Http } from '../../platform/http/server.ts'
import { resourceRoutes } from '../../platform/resources/index.ts'
import type { CampaignDeps } from './operations-campaigns.ts'
import { targetingRule } from './resources-targeting.ts'
import { ad, adSet, advertiser, campaign, sellpage } from './resources.ts'
import { assignmentRoutes } from './routes-assignments.ts'
import { importRoute, lifeCycleRoutes } from './routes-campaigns.ts'
import { historyRoute } from './routes-history.ts'
import { linkRoutes } from './routes-links.ts'
import { siteBlockRoutes } from './routes-site-blocks.ts'
import { campaignTargetingRoutes } from './routes-targeting.ts'

/** Everything about who buys; the caller gives the prefix. */
export function campaignRoutes(http: Http, deps: CampaignDeps): void {
  for (const resource of [advertiser, sellpage, campaign, adSet, ad, targetingRule]) {
    resourceRoutes(http, deps, { resource })
  }
  lifeCycleRoutes(http, deps)
  importRoute(http, deps)
  linkRoutes(http, deps)
  assignmentRoutes(http, deps)
  campaignTargetingRoutes(http, deps)
  siteBlockRoutes(http, deps)
  historyRoute(http, deps)
}
