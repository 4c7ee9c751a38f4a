import { judgeSchedule } from '@placard/calendar'
import { ALWAYS, HOUSE, NEVER } from '../columns/catalogue.ts'
import { NONE } from '../columns/candidate-rows.ts'
import { WINDOWS } from '../changes/limit-changes.ts'
import {
  ACTIVE_JUDGES,
  FIT_JUDGES,
  isCampaignActive,
  isExpired,
  judgeActive,
  judgeFit,
  judgeSpendVerdict,
} from '../columns/membership.ts'
import { judgeLimits } from './limits.ts'
import { costOf } from './price.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { CapScope } from '../changes/records.ts'
import type { Run } from './run.ts'
import { failedClauses, failedTrait, failedTraits, judgeProgram } from './targeting.ts'

export type Gate = (run: Run, candidate: number) => number

/**
 * The gates in their order. Every listed candidate passes the gates that depend on the catalogue alone
 * (marked †), so only an explanation checks them again.
 */
export const GATES: readonly Gate[] = [
  gateActive, // †
  gateFlight,
  gateExpired, // †
  gateSchedule,
  gateFit, // †
  gatePage,
  gateLimits,
  gateTargeting,
  gateFrequency,
  gateSpendVerdict, // †
  gateSpend,
]

/**
 * The gates for a candidate from a list. Nobody reads the reason here, so the cheapest checks that stop
 * most candidates come first: those that read only the two rows.
 */
export function judgeListed(run: Run, candidate: number): number {
  const { candidates, campaigns, nowMs, traits } = run
  const campaign = candidates.campaign(candidate)
  if ((campaigns.traits(campaign) & traits) !== traits) return CODE.device
  if ((campaigns.hours(campaign) & run.hourBit) === 0) return CODE.hour_of_day
  if (nowMs < campaigns.startsAt(campaign)) return CODE['before-flight']
  if (nowMs >= campaigns.endsAt(campaign)) return CODE['after-flight']
  if (nowMs < candidates.publishAt(candidate)) return CODE['before-publish']
  if (nowMs >= candidates.expiresAt(candidate)) return CODE['banner-expired']

  const start = campaigns.programStart(campaign)
  const end = campaigns.programEnd(campaign)
  const { limits } = run
  return (
    (candidates.schedule(candidate) === ALWAYS ? PASSED : gateSchedule(run, candidate)) ||
    (run.shownBanners.length === 0 ? PASSED : gatePage(run, candidate)) ||
    (start === end ? PASSED : judgeProgram(run, start, end)) ||
    gateFrequency(run, candidate) ||
    (limits === undefined ? PASSED : judgeLimits(run, limits, candidate)) ||
    gateSpend(run, candidate)
  )
}

/** Checks every gate, for any candidate. */
export function judgeFully(run: Run, candidate: number): number {
  if (run.trace?.assumes(run, candidate) === true) return gatePage(run, candidate)
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
  return gateStart(run, candidate) || gateEnd(run, candidate)
}

function gateStart({ nowMs, candidates, campaigns }: Run, candidate: number): number {
  const startsAt = campaigns.startsAt(candidates.campaign(candidate))
  return nowMs < startsAt ? CODE['before-flight'] : PASSED
}

function gateEnd({ nowMs, candidates, campaigns }: Run, candidate: number): number {
  const endsAt = campaigns.endsAt(candidates.campaign(candidate))
  return nowMs < endsAt ? PASSED : CODE['after-flight']
}

function gateExpired(run: Run, candidate: number): number {
  return isExpired(run.index, candidate) ? CODE['banner-expired'] : PASSED
}

function gateSchedule(run: Run, candidate: number): number {
  return judgeMoment(run, candidate)
}

/** Whether the banner may be shown now, by its dates and its recurrence. */
export function judgeMoment(
  { index, nowMs }: Pick<Run, 'index' | 'nowMs'>,
  candidate: number,
): number {
  const { candidates } = index
  if (nowMs < candidates.publishAt(candidate)) return CODE['before-publish']
  if (nowMs >= candidates.expiresAt(candidate)) return CODE['banner-expired']
  const number = candidates.schedule(candidate)
  if (number === ALWAYS) return PASSED
  if (number === NEVER) return CODE['off-recurrence']
  const verdict = judgeSchedule(index.schedules[number]!, nowMs)
  return verdict === 'open' ? PASSED : CODE[verdict]
}

function gateFit(run: Run, candidate: number): number {
  return judgeFit(run.index, candidate, run.placement)
}

function gatePage(run: Run, candidate: number): number {
  const { pageCampaigns, shownBanners } = run
  if (shownBanners.length === 0) return PASSED
  if (pageCampaigns !== undefined && pageCampaigns.includes(run.candidates.campaign(candidate)))
    return CODE['campaign-on-page']
  if (shownBanners.includes(run.candidates.banner(candidate))) return CODE['banner-on-page']
  return run.shownLabels.length > 0 && sharesLabel(run, candidate) ? CODE['label-on-page'] : PASSED
}

function sharesLabel({ index, shownLabels, candidates }: Run, candidate: number): boolean {
  const campaign = candidates.campaign(candidate)
  if (campaign === HOUSE) return false
  const { exclusionLabels } = index.campaignDetails[campaign]!
  return exclusionLabels.some((label) => shownLabels.includes(label))
}

function gateLimits(run: Run, candidate: number): number {
  return run.limits === undefined ? PASSED : judgeLimits(run, run.limits, candidate)
}

function gateTargeting(run: Run, candidate: number): number {
  const campaign = run.candidates.campaign(candidate)
  const traits = run.campaigns.traits(campaign)
  if ((traits & run.traits) !== run.traits) return failedTrait(traits, run.traits)
  if ((run.campaigns.hours(campaign) & run.hourBit) === 0) return CODE.hour_of_day
  const start = run.campaigns.programStart(campaign)
  const end = run.campaigns.programEnd(campaign)
  return start === end ? PASSED : judgeProgram(run, start, end)
}

function gateFrequency(run: Run, candidate: number): number {
  if (!run.userKnown) return PASSED
  return (
    gateAdCaps(run, candidate) ||
    gateCampaignCaps(run, candidate) ||
    gateAdvertiserCaps(run, candidate)
  )
}

function gateAdCaps(run: Run, candidate: number): number {
  const first = run.candidates.firstCap(candidate)
  return first !== NONE && isCapped(run, 'ad', first) ? CODE['ad-frequency'] : PASSED
}

function gateCampaignCaps(run: Run, candidate: number): number {
  const first = run.campaigns.firstCap(run.candidates.campaign(candidate))
  return first !== NONE && isCapped(run, 'campaign', first) ? CODE['campaign-frequency'] : PASSED
}

function gateAdvertiserCaps(run: Run, candidate: number): number {
  const advertiser = run.campaigns.advertiser(run.candidates.campaign(candidate))
  if (advertiser === NONE) return PASSED
  const first = run.index.advertisers.firstCap(advertiser)
  if (first === NONE) return PASSED
  return isCapped(run, 'advertiser', first) ? CODE['advertiser-frequency'] : PASSED
}

/** Several caps may apply. The first one that is reached stops the candidate. */
function isCapped(run: Run, scope: CapScope, first: number): boolean {
  for (let cap = first; cap !== NONE; cap = run.index.caps.next(cap)) {
    const window = WINDOWS[run.index.caps.window(cap)]!
    const seen = run.live.seen(scope, run.index.caps.scopeKey(cap), window)
    if (seen >= run.index.caps.max(cap)) return true
  }
  return false
}

function gateSpendVerdict(run: Run, candidate: number): number {
  return judgeSpendVerdict(run.index, candidate)
}

function gateSpend(run: Run, candidate: number): number {
  const isCpc = run.candidates.isCpc(candidate)
  const cost = costOf(isCpc, run.bidOf(candidate))
  if (cost === 0) return PASSED
  const campaign = run.candidates.campaign(candidate)
  const verdict = run.live.judgeSpend(run.campaigns.key(campaign), cost)
  return verdict === 'may-spend' ? PASSED : CODE[verdict]
}

/**
 * Every reason that stops a candidate whoever the reader is, each once. A budget is asked what it says
 * now: the verdict that parked a campaign which does not run is an old one.
 */
export function standingObstacles(run: Run, candidate: number): number[] {
  const { index, placement } = run
  const spend = isCampaignActive(index, candidate) ? gateSpendVerdict(run, candidate) : PASSED
  return distinct([
    ...ACTIVE_JUDGES.map((judge) => judge(index, candidate)),
    gateStart(run, candidate),
    gateEnd(run, candidate),
    gateExpired(run, candidate) || gateSchedule(run, candidate),
    ...FIT_JUDGES.map((judge) => judge(index, candidate, placement)),
    spend || gateSpend(run, candidate),
  ])
}

/** Every reason of the reader and the request that stops a candidate, each once. */
export function readerObstacles(run: Run, candidate: number): number[] {
  const { campaigns } = run
  const campaign = run.candidates.campaign(candidate)
  const hasHour = (campaigns.hours(campaign) & run.hourBit) !== 0
  const start = campaigns.programStart(campaign)
  const caps = [gateAdCaps, gateCampaignCaps, gateAdvertiserCaps]
  return distinct([
    gateLimits(run, candidate),
    ...failedTraits(campaigns.traits(campaign), run.traits),
    hasHour ? PASSED : CODE.hour_of_day,
    ...failedClauses(run, start, campaigns.programEnd(campaign)),
    ...(run.userKnown ? caps.map((gate) => gate(run, candidate)) : []),
  ])
}

const distinct = (codes: readonly number[]): number[] => [
  ...new Set(codes.filter((code) => code !== PASSED)),
]
