import { DAY_MS } from '@placard/calendar'
import * as contract from '@placard/contract/tracking'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock.ts'
import { callerOf } from '../../../platform/http/access.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { Http } from '../../../platform/http/server.ts'
import { customEventsIn, filmErrorsIn, filmStepsIn } from '../intake/progress.ts'
import { countConversions, type LabelCounts, sumDelivery, sumProgress } from './reads-delivery.ts'
import { listQuarantined } from './store-quarantine.ts'

export interface TrackingAdminDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** The campaign, if the caller may see it; throws its Problem otherwise. */
  getCampaignKey(principal: Principal, campaignId: string): Promise<number>
}

/** A campaign's deliveries, and quarantined events. Register under `/api/v1/admin`. */
export function trackingAdminRoutes(http: Http, deps: TrackingAdminDeps): void {
  deliveryRoute(http, deps)
  quarantineRoute(http, deps)
}

function deliveryRoute(http: Http, { pool, clock, getCampaignKey }: TrackingAdminDeps): void {
  http.get(
    '/tracking/delivery/:campaignId',
    {
      config: { access: 'campaigns:read' },
      schema: {
        operationId: 'readCampaignDelivery',
        summary: 'Get what a campaign delivered: valid events, and all others by label',
        description: 'The last 24 hours by default. Counts appear within two seconds.',
        tags: ['tracking'],
        params: contract.DeliveryParams,
        querystring: contract.DeliveryQuery,
        response: { 200: contract.CampaignDelivery },
      },
    },
    async (request) => {
      const campaignKey = await getCampaignKey(callerOf(request), request.params.campaignId)
      const now = clock.now().getTime()
      const from = new Date(request.query.from ?? now - DAY_MS)
      const to = new Date(request.query.to ?? now + 1)
      const query = { campaignKey, from, to }
      const labels = await sumDelivery(pool, query)
      const conversions = await countConversions(pool, query)
      const progress = await sumProgress(pool, query)
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        ...totals(labels),
        chargedMicros: String(sumOfMillis(labels) / 1_000n),
        labels: labels.map(({ label, impressions, views, clicks }) => ({
          label,
          impressions,
          views,
          clicks,
        })),
        conversions: conversions.map(({ kind, conversions, shares }) => ({
          kind,
          conversions,
          credit: shares / SHARES,
        })),
        video: filmStepsIn(progress),
        videoErrors: filmErrorsIn(progress),
        customEvents: customEventsIn(progress),
      }
    },
  )
}

const SHARES = 10_000

function totals(labels: readonly LabelCounts[]) {
  const valid = labels.find(({ label }) => label === 'valid')
  const all = (field: 'impressions' | 'views' | 'clicks' | 'overDelivered') =>
    labels.reduce((sum, counts) => sum + counts[field], 0)
  return {
    rendered: valid?.impressions ?? 0,
    viewable: valid?.views ?? 0,
    clicked: valid?.clicks ?? 0,
    overDelivered: all('overDelivered'),
    unfiltered: { impressions: all('impressions'), views: all('views'), clicks: all('clicks') },
    invalidShare: {
      impressions: shareOf(all('impressions'), valid?.impressions),
      clicks: shareOf(all('clicks'), valid?.clicks),
    },
  }
}

/** Four decimals are enough for display. */
const shareOf = (all: number, valid = 0): number =>
  all === 0 ? 0 : Math.round(((all - valid) / all) * SHARES) / SHARES

const sumOfMillis = (labels: readonly LabelCounts[]): bigint =>
  labels.reduce((sum, { chargedMillis }) => sum + BigInt(chargedMillis), 0n)

const QUARANTINED_SHOWN = 100

function quarantineRoute(http: Http, { pool }: TrackingAdminDeps): void {
  http.get(
    '/tracking/quarantine',
    {
      config: { access: 'operations:read' },
      schema: {
        operationId: 'readQuarantinedEvents',
        summary: 'List the newest quarantined events, with the reason',
        tags: ['tracking'],
        response: { 200: contract.QuarantinedEvents },
      },
    },
    async () => {
      const rows = await listQuarantined(pool, QUARANTINED_SHOWN)
      return {
        items: rows.map(({ receivedAt, quarantinedAt, ...row }) => ({
          ...row,
          receivedAt: receivedAt.toISOString(),
          quarantinedAt: quarantinedAt.toISOString(),
        })),
      }
    },
  )
}
