import { NONE } from '../columns/candidate-rows.ts'
import { WINDOWS } from '../changes/limit-changes.ts'
import { cpmOf } from '../decide/price.ts'
import type { Reason } from './reasons.ts'
import type { CapScope } from '../changes/records.ts'
import type { Run } from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'

/** How far a candidate missed: its value, the value it would need, and their unit. */
export interface Shortfall {
  readonly actual: number
  readonly needed: number
  readonly unit: 'cpm-micros' | 'impressions' | 'epoch-ms'
}

export function shortfallOf(run: Run, candidate: number, reason: Reason): Shortfall | undefined {
  const campaign = run.index.candidates.campaign(candidate)
  const clock = (needed: number): Shortfall | undefined =>
    Number.isFinite(needed) ? { actual: run.nowMs, needed, unit: 'epoch-ms' } : undefined
  if (reason === 'before-flight') return clock(run.index.campaigns.startsAt(campaign))
  if (reason === 'after-flight') return clock(run.index.campaigns.endsAt(campaign))
  if (reason === 'before-publish') return clock(run.index.candidates.publishAt(candidate))
  if (reason === 'below-floor') return belowFloor(run, candidate)
  if (reason === 'ad-frequency') {
    const key = run.index.candidates.key(candidate)
    return overCap(run, run.index.candidates.firstCap(candidate), { scope: 'ad', key })
  }
  if (reason === 'campaign-frequency') {
    const key = run.index.campaigns.key(campaign)
    return overCap(run, run.index.campaigns.firstCap(campaign), {
      scope: 'campaign',
      key,
    })
  }
  if (reason !== 'advertiser-frequency') return undefined
  const advertiser = run.index.campaigns.advertiser(campaign)
  const key = run.index.advertisers.key(advertiser)
  return overCap(run, run.index.advertisers.firstCap(advertiser), { scope: 'advertiser', key })
}

function belowFloor(run: Run, candidate: number): Shortfall {
  const actual = cpmOf({
    isCpc: run.index.candidates.isCpc(candidate),
    effectiveBidMicros: run.bidOf(candidate),
    ctr: predictCtr(run.index.candidates.odds(candidate), run.context),
  })
  return { actual, needed: run.floorMicros, unit: 'cpm-micros' }
}

function overCap(
  run: Run,
  first: number,
  of: { scope: CapScope; key: number },
): Shortfall | undefined {
  for (let cap = first; cap !== NONE; cap = run.index.caps.next(cap)) {
    const actual = run.live.seen(of.scope, of.key, WINDOWS[run.index.caps.window(cap)]!)
    const max = run.index.caps.max(cap)
    if (actual >= max) return { actual, needed: max - 1, unit: 'impressions' }
  }
  return undefined
}
