import {
  ADVERTISER,
  CAMPAIGN,
  CAP,
  NONE,
  CANDIDATE,
  CANDIDATE_COLD,
  CANDIDATE_FLAG,
} from '../columns/catalogue.ts'
import { WINDOWS } from '../changes/limit-changes.ts'
import { cpmOf } from '../decide/price.ts'
import type { Reason } from './reasons.ts'
import type { CapScope } from '../changes/records.ts'
import type { Run } from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'

/** By how much a candidate missed: what it has, what it would need, in which unit. */
export interface Shortfall {
  readonly actual: number
  readonly needed: number
  readonly unit: 'cpm-micros' | 'impressions' | 'epoch-ms'
}

export function shortfallOf(run: Run, candidate: number, reason: Reason): Shortfall | undefined {
  const { candidates, campaigns } = run.index
  const at = candidate * CANDIDATE.width
  const campaign = candidates.i32[at * 2 + CANDIDATE.campaign]! * CAMPAIGN.width
  const clock = (needed: number): Shortfall | undefined =>
    Number.isFinite(needed) ? { actual: run.nowMs, needed, unit: 'epoch-ms' } : undefined
  if (reason === 'before-flight') return clock(campaigns.f64[campaign + CAMPAIGN.startsAt]!)
  if (reason === 'after-flight') return clock(campaigns.f64[campaign + CAMPAIGN.endsAt]!)
  if (reason === 'before-publish') return clock(candidates.f64[at + CANDIDATE.publishAt]!)
  if (reason === 'below-floor') return belowFloor(run, candidate)
  if (reason === 'ad-frequency') {
    const key = run.index.candidatesCold.f64[candidate * CANDIDATE_COLD.width + CANDIDATE_COLD.key]!
    return overCap(run, candidates.i32[at * 2 + CANDIDATE.firstCap]!, { scope: 'ad', key })
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
  const advertiser = campaigns.i32[campaign * 2 + CAMPAIGN.advertiser]! * ADVERTISER.width
  const key = f64[advertiser + ADVERTISER.key]!
  return overCap(run, i32[advertiser * 2 + ADVERTISER.firstCap]!, { scope: 'advertiser', key })
}

function belowFloor(run: Run, candidate: number): Shortfall {
  const { f64, i32 } = run.index.candidates
  const at = candidate * CANDIDATE.width
  const actual = cpmOf({
    isCpc: (i32[at * 2 + CANDIDATE.schedule]! & CANDIDATE_FLAG.cpc) !== 0,
    effectiveBidMicros: f64[at + CANDIDATE.effectiveBid]!,
    ctr: predictCtr(f64[at + CANDIDATE.odds]!, run.context),
  })
  return { actual, needed: run.floorMicros, unit: 'cpm-micros' }
}

function overCap(
  run: Run,
  first: number,
  of: { scope: CapScope; key: number },
): Shortfall | undefined {
  const { i32 } = run.index.caps
  for (let cap = first; cap !== NONE; cap = i32[cap * CAP.width * 2 + CAP.next]!) {
    const at = cap * CAP.width * 2
    const actual = run.live.seen(of.scope, of.key, WINDOWS[i32[at + CAP.window]!]!)
    const max = i32[at + CAP.max]!
    if (actual >= max) return { actual, needed: max - 1, unit: 'impressions' }
  }
  return undefined
}
