import { type DecisionIndex, OFFER, OFFER_FLAG } from '../columns/catalogue.ts'
import { type Decision, decide, findActive } from '../decide/decide.ts'
import { GATES } from '../decide/gates.ts'
import { PASSED, REASONS, type Reason } from './reasons.ts'
import { type DecisionRequest, type Draws, type Live, Run } from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'
import { type Fate, Trace } from './trace.ts'

/** Ports of an explanation: `live.reserve` should hold nothing. */
export interface ExplainPorts {
  readonly live: Live
  readonly draws: Draws
  /** Asks also what this ad lacks to win. */
  readonly adKey?: number | undefined
}

export interface Explanation {
  readonly decision: Decision
  readonly fates: readonly Fate[]
  readonly counts: Partial<Record<Reason | 'won', number>>
  /** Candidates beyond the bound on fates. */
  readonly omitted: number
  readonly wish: WinningWish | undefined
}

/** What would have to change for one ad to win. */
export interface WinningWish {
  readonly adKey: number
  readonly isKnown: boolean
  readonly hasWon: boolean
  /** Every gate that stops it, not only the first. */
  readonly obstacles: readonly Reason[]
  readonly score: number
  /** The score to beat; undefined when nobody else competes. */
  readonly scoreToBeat: number | undefined
  readonly effectiveBidMicros: number
  /** The lowest effective bid, in the ad's own unit, that passes the floor and the best rival. */
  readonly effectiveBidMicrosNeeded: number
}

/** Decides again with a trace, by the code that decides every request. */
export function explain(
  index: DecisionIndex,
  request: DecisionRequest,
  ports: ExplainPorts,
): Explanation {
  const trace = new Trace({ alsoAd: ports.adKey })
  const decision = decide(index, request, { ...ports, trace })
  const fates = [...trace.fates.values()].toSorted(
    (a, b) => (b.score ?? -1) - (a.score ?? -1) || a.offer.key - b.offer.key,
  )
  const wish =
    ports.adKey === undefined ? undefined : whatWouldWin(index, request, { ...ports, trace })
  return { decision, fates, counts: trace.counts(), omitted: trace.dropped, wish }
}

function whatWouldWin(
  index: DecisionIndex,
  request: DecisionRequest,
  ports: ExplainPorts & { readonly trace: Trace },
): WinningWish {
  const adKey = ports.adKey!
  const offer = index.adSlots.get(adKey)
  if (offer === undefined) return unknownAd(adKey)
  const placement =
    request.placementKey === undefined ? undefined : findActive(index, request.placementKey)
  const run = new Run(index, request, { placement, ports })
  const obstacles = GATES.map((gate) => gate(run, offer)).filter((reason) => reason !== PASSED)

  const { f64, i32 } = index.offers
  const at = offer * OFFER.lanes
  const isCpc = (i32[at * 2 + OFFER.schedule]! & OFFER_FLAG.cpc) !== 0
  const ctr = predictCtr(f64[at + OFFER.odds]!, run.context)
  const perMicro = isCpc ? f64[at + OFFER.quality]! * ctr : f64[at + OFFER.quality]! / 1000
  const scoreToBeat = bestRival(ports.trace, offer)
  const floorUnit = isCpc ? Math.ceil(run.floorMicros / (1000 * ctr)) : run.floorMicros
  const overRival = scoreToBeat === undefined ? 0 : Math.floor(scoreToBeat / perMicro) + 1
  return {
    adKey,
    isKnown: true,
    hasWon: ports.trace.fates.get(offer)?.reason === 'won',
    obstacles: obstacles.map((reason) => REASONS[reason]!),
    score: f64[at + OFFER.effectiveBid]! * perMicro,
    scoreToBeat,
    effectiveBidMicros: f64[at + OFFER.effectiveBid]!,
    effectiveBidMicrosNeeded: Math.max(floorUnit, overRival),
  }
}

const unknownAd = (adKey: number): WinningWish => ({
  adKey,
  isKnown: false,
  hasWon: false,
  obstacles: [],
  score: 0,
  scoreToBeat: undefined,
  effectiveBidMicros: 0,
  effectiveBidMicrosNeeded: 0,
})

function bestRival(trace: Trace, offer: number): number | undefined {
  let best: number | undefined
  for (const [other, { score }] of trace.fates) {
    if (other === offer || score === undefined) continue
    if (best === undefined || score > best) best = score
  }
  return best
}
