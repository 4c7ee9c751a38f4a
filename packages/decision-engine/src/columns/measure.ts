import { ADVERTISER, CAMPAIGN, CAP, NONE, OFFER, OFFER_COLD, OFFER_FLAG } from './catalogue.ts'
import { WINDOWS } from '../changes/limit-changes.ts'
import { cpmOf } from '../decide/price.ts'
import type { Reason } from '../explain/reasons.ts'
import type { CapScope } from '../changes/records.ts'
import type { Run } from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'

/** By how much a candidate missed: what it has, what it would need, in which unit. */
export interface Measure {
  readonly actual: number
  readonly needed: number
  readonly unit: 'cpm-micros' | 'impressions' | 'epoch-ms'
}

export function measure(run: Run, offer: number, reason: Reason): Measure | undefined {
  const { offers, campaigns } = run.index
  const at = offer * OFFER.lanes
  const campaign = offers.i32[at * 2 + OFFER.campaign]! * CAMPAIGN.lanes
  const clock = (needed: number): Measure | undefined =>
    Number.isFinite(needed) ? { actual: run.nowMs, needed, unit: 'epoch-ms' } : undefined
  if (reason === 'before-flight') return clock(campaigns.f64[campaign + CAMPAIGN.startsAt]!)
  if (reason === 'after-flight') return clock(campaigns.f64[campaign + CAMPAIGN.endsAt]!)
  if (reason === 'before-publish') return clock(offers.f64[at + OFFER.publishAt]!)
  if (reason === 'below-floor') return belowFloor(run, offer)
  if (reason === 'ad-frequency') {
    const key = run.index.offersCold.f64[offer * OFFER_COLD.lanes + OFFER_COLD.key]!
    return overCap(run, offers.i32[at * 2 + OFFER.firstCap]!, { scope: 'ad', key })
  }
  if (reason === 'campaign-frequency') {
    const key = campaigns.f64[campaign + CAMPAIGN.key]!
    return overCap(run, campaigns.i32[campaign * 2 + CAMPAIGN.firstCap]!, {
      scope: 'campaign',
      key,
    })
  }
  if (reason !== 'advertiser-frequency') return undefined
  const { f64, i32 } = run.index.advertisers
  const advertiser = campaigns.i32[campaign * 2 + CAMPAIGN.advertiser]! * ADVERTISER.lanes
  const key = f64[advertiser + ADVERTISER.key]!
  return overCap(run, i32[advertiser * 2 + ADVERTISER.firstCap]!, { scope: 'advertiser', key })
}

function belowFloor(run: Run, offer: number): Measure {
  const { f64, i32 } = run.index.offers
  const at = offer * OFFER.lanes
  const actual = cpmOf({
    isCpc: (i32[at * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0,
    effectiveBidMicros: f64[at + OFFER.effectiveBid]!,
    ctr: predictCtr(f64[at + OFFER.odds]!, run.context),
  })
  return { actual, needed: run.floorMicros, unit: 'cpm-micros' }
}

function overCap(
  run: Run,
  first: number,
  of: { scope: CapScope; key: number },
): Measure | undefined {
  const { i32 } = run.index.caps
  for (let cap = first; cap !== NONE; cap = i32[cap * CAP.lanes * 2 + CAP.next]!) {
    const at = cap * CAP.lanes * 2
    const actual = run.live.seen(of.scope, of.key, WINDOWS[i32[at + CAP.window]!]!)
    const max = i32[at + CAP.max]!
    if (actual >= max) return { actual, needed: max - 1, unit: 'impressions' }
  }
  return undefined
}
