import type { SeenAuction } from '../../apps/server/src/capabilities/learning/agents/past-day.ts'
import { hindsight } from '../../packages/learning/src/index.ts'
import { type MarketCampaign, trueRate, type Visit } from './world.ts'

export type MetAuction = SeenAuction & { readonly visit: Visit }

/**
 * Value of a day for a campaign that knew every price and true click rate, if all others bid as they did.
 * The auctions are a sample of size `share`.
 */
export function bestOf(
  campaign: MarketCampaign,
  met: readonly MetAuction[],
  share: number,
): number {
  const own = met.filter(
    ({ visit }) =>
      campaign.placements.includes(visit.placement.key) &&
      (campaign.country === undefined || campaign.country === visit.context.country),
  )
  const auctions = {
    count: own.length,
    price: Int32Array.from(own, (one) => Math.ceil(priceFor(campaign.key, one))),
    pctr: Float64Array.from(own, ({ visit }) => trueRate(campaign, visit)),
    click: new Uint8Array(own.length),
    window: new Uint8Array(own.length),
  }
  return hindsight(auctions, campaign.dailyMicros * share).fractional / share
}

const priceFor = (campaignKey: number, { bids, floorMicros }: SeenAuction): number =>
  bids.reduce(
    (price, [, campaign, score]) => (campaign === campaignKey ? price : Math.max(price, score)),
    floorMicros / 1_000,
  )
