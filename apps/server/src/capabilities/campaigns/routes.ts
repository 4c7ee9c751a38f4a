import type { Http } from '../../platform/http/server.ts'
import { resourceRoutes } from '../../platform/resources/index.ts'
import type { CampaignDeps } from './operations-campaigns.ts'
import { targetingRule } from './targeting/resources.ts'
import { ad, adSet, advertiser, campaign, sellpage } from './resources.ts'
import { assignmentRoutes } from './assignments/routes.ts'
import { importRoute, lifeCycleRoutes } from './routes-campaigns.ts'
import { historyRoute } from './routes-history.ts'
import { campaignPlacementRoutes } from './placements/routes.ts'
import { siteBlockRoutes } from './site-blocks/routes.ts'
import { campaignTargetingRoutes } from './targeting/routes.ts'

/** Routes for buyers. The caller gives the prefix. */
export function campaignRoutes(http: Http, deps: CampaignDeps): void {
  for (const resource of [advertiser, sellpage, campaign, adSet, ad, targetingRule]) {
    resourceRoutes(http, deps, { resource })
  }
  lifeCycleRoutes(http, deps)
  importRoute(http, deps)
  campaignPlacementRoutes(http, deps)
  assignmentRoutes(http, deps)
  campaignTargetingRoutes(http, deps)
  siteBlockRoutes(http, deps)
  historyRoute(http, deps)
}
