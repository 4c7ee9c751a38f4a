import {
  ADVERTISER,
  ALWAYS,
  CAMPAIGN,
  CAP,
  NEVER,
  NONE,
  OFFER,
  OFFER_FLAG,
} from '../columns/catalogue.ts'
import { WINDOWS } from '../changes/limit-changes.ts'
import { isExpired, judgeActive, judgeFit, judgeParking } from '../columns/membership.ts'
import { costOf } from './price.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { CapScope } from '../changes/records.ts'
import type { Run } from './run.ts'
import { judgeSchedule } from './schedule.ts'
import { failedTrait, judgeProgram } from './targeting.ts'

export type Gate = (run: Run, offer: number) => number

/**
 * The order of the gates, each with its reason. What the catalogue alone decides (marked †) holds
 * for every listed offer, so the normal path does not ask again; an explanation does.
 */
export const GATES: readonly Gate[] = [
  gateActive, // †
  gateFlight,
  gateExpired, // †
  gateSchedule,
  gateFit, // †
  gatePage,
  gateTargeting,
  gateFrequency,
  gateParking, // †
  gateSpend,
]

/**
 * The gates for an offer that was found in a list. Nobody reads the reason here, so the tests that
 * need no more than the two rows come first, the cheapest that stop most at the head.
 */
export function judgeListed(run: Run, offer: number): number {
  const { offersI32, offersF64, campaignsI32, campaignsF64, nowMs, traits } = run
  const at = offer * OFFER.lanes
  const campaign = offersI32[at * 2 + OFFER.campaign]! * CAMPAIGN.lanes
  if ((campaignsI32[campaign * 2 + CAMPAIGN.traits]! & traits) !== traits) return CODE.device
  if ((campaignsI32[campaign * 2 + CAMPAIGN.hours]! & run.hourBit) === 0) return CODE.hour_of_day
  if (nowMs < campaignsF64[campaign + CAMPAIGN.startsAt]!) return CODE['before-flight']
  if (nowMs >= campaignsF64[campaign + CAMPAIGN.endsAt]!) return CODE['after-flight']
  if (nowMs < offersF64[at + OFFER.publishAt]!) return CODE['before-publish']
  if (nowMs >= offersF64[at + OFFER.expiresAt]!) return CODE['banner-expired']

  const start = campaignsI32[campaign * 2 + CAMPAIGN.programStart]!
  const end = campaignsI32[campaign * 2 + CAMPAIGN.programEnd]!
  return (
    (offersI32[at * 2 + OFFER.schedule]! >> 8 === ALWAYS ? PASSED : gateSchedule(run, offer)) ||
    (run.shownBanners.length === 0 ? PASSED : gatePage(run, offer)) ||
    (start === end ? PASSED : judgeProgram(run, start, end)) ||
    gateFrequency(run, offer) ||
    gateSpend(run, offer)
  )
}

/** Every gate, for any offer. */
export function judgeFully(run: Run, offer: number): number {
  for (const gate of GATES) {
    const reason = gate(run, offer)
    if (reason !== PASSED) return reason
  }
  return PASSED
}

function gateActive(run: Run, offer: number): number {
  return judgeActive(run.index, offer)
}

function gateFlight(run: Run, offer: number): number {
  const { nowMs, campaignsF64 } = run
  const campaign = run.offersI32[offer * OFFER.lanes * 2 + OFFER.campaign]! * CAMPAIGN.lanes
  if (nowMs < campaignsF64[campaign + CAMPAIGN.startsAt]!) return CODE['before-flight']
  return nowMs < campaignsF64[campaign + CAMPAIGN.endsAt]! ? PASSED : CODE['after-flight']
}

function gateExpired(run: Run, offer: number): number {
  return isExpired(run.index, offer) ? CODE['banner-expired'] : PASSED
}

function gateSchedule(run: Run, offer: number): number {
  const { nowMs, offersF64, offersI32 } = run
  const at = offer * OFFER.lanes
  if (nowMs < offersF64[at + OFFER.publishAt]!) return CODE['before-publish']
  if (nowMs >= offersF64[at + OFFER.expiresAt]!) return CODE['banner-expired']
  const number = offersI32[at * 2 + OFFER.schedule]! >> 8
  if (number === ALWAYS) return PASSED
  if (number === NEVER) return CODE['off-recurrence']
  const verdict = judgeSchedule(run.index.schedules[number]!, nowMs)
  return verdict === 'open' ? PASSED : CODE[verdict]
}

function gateFit(run: Run, offer: number): number {
  const { index, placement } = run
  return placement === undefined ? PASSED : judgeFit(index, offer, placement)
}

function gatePage(run: Run, offer: number): number {
  const { pageCampaigns, shownBanners, index } = run
  if (shownBanners.length === 0) return PASSED
  const at = offer * OFFER.lanes * 2
  if (pageCampaigns !== undefined && pageCampaigns.includes(index.offers.i32[at + OFFER.campaign]!))
    return CODE['campaign-on-page']
  return shownBanners.includes(index.offers.i32[at + OFFER.banner]!)
    ? CODE['banner-on-page']
    : PASSED
}

function gateTargeting(run: Run, offer: number): number {
  const i32 = run.campaignsI32
  const campaign = run.offersI32[offer * OFFER.lanes * 2 + OFFER.campaign]!
  const at = campaign * CAMPAIGN.lanes * 2
  const traits = i32[at + CAMPAIGN.traits]!
  if ((traits & run.traits) !== run.traits) return failedTrait(traits, run.traits)
  if ((i32[at + CAMPAIGN.hours]! & run.hourBit) === 0) return CODE.hour_of_day
  const start = i32[at + CAMPAIGN.programStart]!
  const end = i32[at + CAMPAIGN.programEnd]!
  return start === end ? PASSED : judgeProgram(run, start, end)
}

function gateFrequency(run: Run, offer: number): number {
  if (!run.userKnown) return PASSED
  const { offersI32, campaignsI32, index } = run
  const firstOfAd = offersI32[offer * OFFER.lanes * 2 + OFFER.firstCap]!
  if (firstOfAd !== NONE && isCapped(run, 'ad', firstOfAd)) return CODE['ad-frequency']

  const campaign = offersI32[offer * OFFER.lanes * 2 + OFFER.campaign]! * CAMPAIGN.lanes * 2
  const firstOfCampaign = campaignsI32[campaign + CAMPAIGN.firstCap]!
  if (firstOfCampaign !== NONE && isCapped(run, 'campaign', firstOfCampaign)) {
    return CODE['campaign-frequency']
  }
  const advertiser = campaignsI32[campaign + CAMPAIGN.advertiser]!
  if (advertiser === NONE) return PASSED
  const firstOfAdvertiser =
    index.advertisers.i32[advertiser * ADVERTISER.lanes * 2 + ADVERTISER.firstCap]!
  if (firstOfAdvertiser === NONE) return PASSED
  return isCapped(run, 'advertiser', firstOfAdvertiser) ? CODE['advertiser-frequency'] : PASSED
}

/** Several caps may hold at once: the first that is reached stops the offer. */
function isCapped(run: Run, scope: CapScope, first: number): boolean {
  const { i32, f64 } = run.index.caps
  for (let cap = first; cap !== NONE; cap = i32[cap * CAP.lanes * 2 + CAP.next]!) {
    const at = cap * CAP.lanes
    const window = WINDOWS[i32[at * 2 + CAP.window]!]!
    const seen = run.live.seen(scope, f64[at + CAP.scopeKey]!, window)
    if (seen >= i32[at * 2 + CAP.max]!) return true
  }
  return false
}

function gateParking(run: Run, offer: number): number {
  return judgeParking(run.index, offer)
}

function gateSpend(run: Run, offer: number): number {
  const { offers, campaigns } = run.index
  const at = offer * OFFER.lanes
  const isCpc = (offers.i32[at * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0
  const cost = costOf(isCpc, offers.f64[at + OFFER.effectiveBid]!)
  if (cost === 0) return PASSED
  const campaign = offers.i32[at * 2 + OFFER.campaign]!
  const verdict = run.live.judgeSpend(
    campaigns.f64[campaign * CAMPAIGN.lanes + CAMPAIGN.key]!,
    cost,
  )
  return verdict === 'may-spend' ? PASSED : CODE[verdict]
}
