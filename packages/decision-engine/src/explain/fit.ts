import type { DecisionIndex } from '../columns/catalogue.ts'
import { FIT_JUDGES, isExpired } from '../columns/membership.ts'
import { cpmOf } from '../decide/price.ts'
import { type LiveState, Run } from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'
import { BANNER_FLAG } from '../columns/tables.ts'
import { CODE, PASSED, REASONS, type Reason } from './reasons.ts'

/** An ad or an assignment on a placement, in the time that its campaign runs. */
export interface FitQuestion {
  readonly kind: 'ad' | 'assignment'
  readonly key: number
  readonly placementKey: number
  readonly fromMs: number
  readonly untilMs?: number | undefined
}

export interface Fit {
  /** Everything that keeps it off the placement for every reader, in the order of the gates. */
  readonly reasons: readonly Reason[]
  readonly floorMicros: number
  /** What 1,000 impressions bring at the full bid, by the click rate of an unknown reader. */
  readonly cpmMicros: number
}

/**
 * Whether an ad can ever be shown on a placement, whoever reads the page: the gates that depend on the
 * catalogue alone, all of them, and the floor. Undefined if the index lacks either.
 */
export function judgePlace(index: DecisionIndex, question: FitQuestion): Fit | undefined {
  const { kind, key, placementKey, fromMs } = question
  const candidate = (kind === 'ad' ? index.adRows : index.assignmentRows).get(key)
  const placement = index.placements[index.placementRows.get(placementKey) ?? -1]
  if (candidate === undefined || placement?.record === undefined) return undefined

  const request = { placementKey, nowMs: fromMs, userKnown: false, context: {} }
  const run = new Run(index, request, { placement, ports: NOTHING_LIVE })
  const isCpc = index.candidates.isCpc(candidate)
  const ctr = predictCtr(index.candidates.odds(candidate), run.context)
  const effectiveBidMicros = index.candidates.effectiveBid(candidate)
  const cpmMicros = cpmOf({ isCpc, effectiveBidMicros, ctr })
  const codes = [
    ...judgeTimes(index, candidate, question),
    ...FIT_JUDGES.map((judge) => judge(index, candidate, placement)),
    ...(kind === 'ad' && cpmMicros < run.floorMicros ? [CODE['below-floor']] : []),
  ]
  return {
    reasons: codes.filter((code) => code !== PASSED).map((code) => REASONS[code]!),
    floorMicros: run.floorMicros,
    cpmMicros,
  }
}

/** The banner is on, and its own dates leave some of the campaign's time. */
function judgeTimes(index: DecisionIndex, candidate: number, { fromMs, untilMs }: FitQuestion) {
  const { candidates } = index
  const flags = index.banners.flags(candidates.banner(candidate))
  const isOver = isExpired(index, candidate) || candidates.expiresAt(candidate) <= fromMs
  const isLater = untilMs !== undefined && candidates.publishAt(candidate) >= untilMs
  return [
    ...((flags & BANNER_FLAG.active) === 0 ? [CODE['banner-not-active']] : []),
    ...(isOver ? [CODE['banner-expired']] : []),
    ...(isLater ? [CODE['before-publish']] : []),
  ]
}

/** No budget and no reader: only the catalogue is asked. */
const NOTHING: LiveState = {
  judgeSpend: () => 'may-spend',
  utilisation: () => 0,
  seen: () => 0,
  reserve: () => false,
  isFull: false,
}
const NOTHING_LIVE = { live: NOTHING, draws: { next: () => 0 } }
