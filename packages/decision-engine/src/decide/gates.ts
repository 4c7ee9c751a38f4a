import {
  ADVERTISER,
  ALWAYS,
  CAMPAIGN,
  CAP,
  NEVER,
  NONE,
  CANDIDATE,
  CANDIDATE_FLAG,
} from '../columns/catalogue.ts'
import { WINDOWS } from '../changes/limit-changes.ts'
import { isExpired, judgeActive, judgeFit, judgeSpendVerdict } from '../columns/membership.ts'
import { costOf } from './price.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { CapScope } from '../changes/records.ts'
import type { Run } from './run.ts'
import { judgeSchedule } from './schedule.ts'
import { failedTrait, judgeProgram } from './targeting.ts'

export type Gate = (run: Run, candidate: number) => number

/**
 * The order of the gates, each with its reason. What the catalogue alone decides (marked †) holds
 * for every listed candidate, so the normal path does not ask again; an explanation does.
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
  gateSpendVerdict, // †
  gateSpend,
]

/**
 * The gates for an candidate that was found in a list. Nobody reads the reason here, so the tests that
 * need no more than the two rows come first, the cheapest that stop most at the head.
 */
export function judgeListed(run: Run, candidate: number): number {
  const { candidatesI32, candidatesF64, campaignsI32, campaignsF64, nowMs, traits } = run
  const at = candidate * CANDIDATE.width
  const campaign = candidatesI32[at * 2 + CANDIDATE.campaign]! * CAMPAIGN.width
  if ((campaignsI32[campaign * 2 + CAMPAIGN.traits]! & traits) !== traits) return CODE.device
  if ((campaignsI32[campaign * 2 + CAMPAIGN.hours]! & run.hourBit) === 0) return CODE.hour_of_day
  if (nowMs < campaignsF64[campaign + CAMPAIGN.startsAt]!) return CODE['before-flight']
  if (nowMs >= campaignsF64[campaign + CAMPAIGN.endsAt]!) return CODE['after-flight']
  if (nowMs < candidatesF64[at + CANDIDATE.publishAt]!) return CODE['before-publish']
  if (nowMs >= candidatesF64[at + CANDIDATE.expiresAt]!) return CODE['banner-expired']

  const start = campaignsI32[campaign * 2 + CAMPAIGN.programStart]!
  const end = campaignsI32[campaign * 2 + CAMPAIGN.programEnd]!
  return (
    (candidatesI32[at * 2 + CANDIDATE.schedule]! >> 8 === ALWAYS
      ? PASSED
      : gateSchedule(run, candidate)) ||
    (run.shownBanners.length === 0 ? PASSED : gatePage(run, candidate)) ||
    (start === end ? PASSED : judgeProgram(run, start, end)) ||
    gateFrequency(run, candidate) ||
    gateSpend(run, candidate)
  )
}

/** Every gate, for any candidate. */
export function judgeFully(run: Run, candidate: number): number {
  for (const gate of GATES) {
    const reason = gate(run, candidate)
    if (reason !== PASSED) return reason
  }
  return PASSED
}

function gateActive(run: Run, candidate: number): number {
  return judgeActive(run.index, candidate)
}

function gateFlight(run: Run, candidate: number): number {
  const { nowMs, campaignsF64 } = run
  const campaign =
    run.candidatesI32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]! * CAMPAIGN.width
  if (nowMs < campaignsF64[campaign + CAMPAIGN.startsAt]!) return CODE['before-flight']
  return nowMs < campaignsF64[campaign + CAMPAIGN.endsAt]! ? PASSED : CODE['after-flight']
}

function gateExpired(run: Run, candidate: number): number {
  return isExpired(run.index, candidate) ? CODE['banner-expired'] : PASSED
}

function gateSchedule(run: Run, candidate: number): number {
  const { nowMs, candidatesF64, candidatesI32 } = run
  const at = candidate * CANDIDATE.width
  if (nowMs < candidatesF64[at + CANDIDATE.publishAt]!) return CODE['before-publish']
  if (nowMs >= candidatesF64[at + CANDIDATE.expiresAt]!) return CODE['banner-expired']
  const number = candidatesI32[at * 2 + CANDIDATE.schedule]! >> 8
  if (number === ALWAYS) return PASSED
  if (number === NEVER) return CODE['off-recurrence']
  const verdict = judgeSchedule(run.index.schedules[number]!, nowMs)
  return verdict === 'open' ? PASSED : CODE[verdict]
}

function gateFit(run: Run, candidate: number): number {
  const { index, placement } = run
  return placement === undefined ? PASSED : judgeFit(index, candidate, placement)
}

function gatePage(run: Run, candidate: number): number {
  const { pageCampaigns, shownBanners, index } = run
  if (shownBanners.length === 0) return PASSED
  const at = candidate * CANDIDATE.width * 2
  if (
    pageCampaigns !== undefined &&
    pageCampaigns.includes(index.candidates.i32[at + CANDIDATE.campaign]!)
  )
    return CODE['campaign-on-page']
  return shownBanners.includes(index.candidates.i32[at + CANDIDATE.banner]!)
    ? CODE['banner-on-page']
    : PASSED
}

function gateTargeting(run: Run, candidate: number): number {
  const i32 = run.campaignsI32
  const campaign = run.candidatesI32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]!
  const at = campaign * CAMPAIGN.width * 2
  const traits = i32[at + CAMPAIGN.traits]!
  if ((traits & run.traits) !== run.traits) return failedTrait(traits, run.traits)
  if ((i32[at + CAMPAIGN.hours]! & run.hourBit) === 0) return CODE.hour_of_day
  const start = i32[at + CAMPAIGN.programStart]!
  const end = i32[at + CAMPAIGN.programEnd]!
  return start === end ? PASSED : judgeProgram(run, start, end)
}

function gateFrequency(run: Run, candidate: number): number {
  if (!run.userKnown) return PASSED
  const { candidatesI32, campaignsI32, index } = run
  const firstOfAd = candidatesI32[candidate * CANDIDATE.width * 2 + CANDIDATE.firstCap]!
  if (firstOfAd !== NONE && isCapped(run, 'ad', firstOfAd)) return CODE['ad-frequency']

  const campaign =
    candidatesI32[candidate * CANDIDATE.width * 2 + CANDIDATE.campaign]! * CAMPAIGN.width * 2
  const firstOfCampaign = campaignsI32[campaign + CAMPAIGN.firstCap]!
  if (firstOfCampaign !== NONE && isCapped(run, 'campaign', firstOfCampaign)) {
    return CODE['campaign-frequency']
  }
  const advertiser = campaignsI32[campaign + CAMPAIGN.advertiser]!
  if (advertiser === NONE) return PASSED
  const firstOfAdvertiser =
    index.advertisers.i32[advertiser * ADVERTISER.width * 2 + ADVERTISER.firstCap]!
  if (firstOfAdvertiser === NONE) return PASSED
  return isCapped(run, 'advertiser', firstOfAdvertiser) ? CODE['advertiser-frequency'] : PASSED
}

/** Several caps may hold at once: the first that is reached stops the candidate. */
function isCapped(run: Run, scope: CapScope, first: number): boolean {
  const { i32, f64 } = run.index.caps
  for (let cap = first; cap !== NONE; cap = i32[cap * CAP.width * 2 + CAP.next]!) {
    const at = cap * CAP.width
    const window = WINDOWS[i32[at * 2 + CAP.window]!]!
    const seen = run.live.seen(scope, f64[at + CAP.scopeKey]!, window)
    if (seen >= i32[at * 2 + CAP.max]!) return true
  }
  return false
}

function gateSpendVerdict(run: Run, candidate: number): number {
  return judgeSpendVerdict(run.index, candidate)
}

function gateSpend(run: Run, candidate: number): number {
  const { candidates, campaigns } = run.index
  const at = candidate * CANDIDATE.width
  const isCpc = (candidates.i32[at * 2 + CANDIDATE.schedule]! & CANDIDATE_FLAG.cpc) !== 0
  const cost = costOf(isCpc, candidates.f64[at + CANDIDATE.effectiveBid]!)
  if (cost === 0) return PASSED
  const campaign = candidates.i32[at * 2 + CANDIDATE.campaign]!
  const verdict = run.live.judgeSpend(
    campaigns.f64[campaign * CAMPAIGN.width + CAMPAIGN.key]!,
    cost,
  )
  return verdict === 'may-spend' ? PASSED : CODE[verdict]
}
