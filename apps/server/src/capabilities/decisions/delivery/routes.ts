import * as contract from '@placard/contract/delivery'
import { callerOf } from '../../../platform/http/access.ts'
import type { Http } from '../../../platform/http/server.ts'
import { campaignDelivery, type DeliveryDeps, placementDelivery } from './operations.ts'

/** Why something delivers or not; under `/api/v1/admin`. Lists have it as a field and a filter. */
export function deliveryRoutes(http: Http, deps: DeliveryDeps): void {
  campaignRoute(http, deps)
  placementRoute(http, deps)
}

function campaignRoute(http: Http, deps: DeliveryDeps): void {
  http.get(
    '/campaigns/:campaignId/delivery',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'getCampaignDelivery',
        summary: 'Why does this campaign deliver, or not?',
        description:
          'One line and what mends it, for the campaign, each ad and each placement, by the gates that every decision asks. The ads of today are tried on requests of the last 24 hours: the share that each rule lets pass, and the bid that would have won. Others’ prices are for the platform’s own people.',
        tags: ['campaigns'],
        params: contract.CampaignDeliveryParams,
        response: { 200: contract.CampaignDelivery },
      },
    },
    (request) => campaignDelivery(deps, callerOf(request), request.params.campaignId),
  )
}

function placementRoute(http: Http, deps: DeliveryDeps): void {
  http.get(
    '/placements/:placementId/delivery',
    {
      config: { access: 'placements:read' },
      schema: {
        operationId: 'getPlacementDelivery',
        summary: 'Why does this placement show ads, or not?',
        description:
          'One line and what mends it, the share of the last 24 hours’ requests that got an ad, and how many of the campaigns booked here are held back by what.',
        tags: ['placements'],
        params: contract.PlacementDeliveryParams,
        response: { 200: contract.PlacementDelivery },
      },
    },
    (request) => placementDelivery(deps, callerOf(request), request.params.placementId),
  )
}
