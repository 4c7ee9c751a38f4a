import type { DecisionIndex } from '../columns/catalogue.ts'
import { decide, findActive } from '../decide/decide.ts'
import type { Decision } from '../decide/decision.ts'
import { GATES } from '../decide/gates.ts'
import { GATE_REASONS, type GateName, PASSED, REASONS, type Reason } from './reasons.ts'
import { type DecisionRequest, type Draws, type LiveState, Run } from '../decide/run.ts'
import { predictCtr } from '../decide/scorer.ts'
import type { Shortlist } from '../decide/shortlist.ts'
import { type CandidateOutcome, Trace } from './trace.ts'

/** Ports of an explanation. `live.reserve` should hold nothing. */
export interface ExplainPorts {
  readonly live: LiveState
  readonly draws: Draws
  /** Also report what this ad would need to win. */
  readonly adKey?: number | undefined
}

export interface Explanation {
  readonly decision: Decision
  /** The gates that had something to check, in their order. */
  readonly gates: readonly GateName[]
  readonly outcomes: readonly CandidateOutcome[]
  readonly counts: Partial<Record<Reason | 'won', number>>
  /** Number of candidates without an outcome, because there were too many. */
  readonly omitted: number
  readonly requirements: WinRequirements | undefined
}

/** What one ad would need to win. */
export interface WinRequirements {
  readonly adKey: number
  readonly isKnown: boolean
  readonly hasWon: boolean
  /** Reasons of every gate that stops it, not only of the first. */
  readonly obstacles: readonly Reason[]
  readonly score: number
  /** The score to beat. Undefined: it has no competitor. */
  readonly scoreToBeat: number | undefined
  readonly effectiveBidMicros: number
  /** The lowest effective bid, in the ad's unit, that meets the floor and beats the best competitor. */
  readonly effectiveBidMicrosNeeded: number
}

/** Decides again with a trace, using the same code as every request. */
export function explain(
  index: DecisionIndex,
  request: DecisionRequest,
  ports: ExplainPorts,
): Explanation {
  const trace = new Trace({ alsoAd: ports.adKey })
  const decision = decide(index, request, { ...ports, trace })
  const outcomes = [...trace.outcomes.values()].toSorted(
    (a, b) => (b.score ?? -1) - (a.score ?? -1) || a.candidate.key - b.candidate.key,
  )
  const requirements =
    ports.adKey === undefined ? undefined : whatWouldWin(index, request, { ...ports, trace })
  return {
    decision,
    gates: gatesOf(request),
    outcomes,
    counts: trace.counts(),
    omitted: trace.dropped,
    requirements,
  }
}

const GATE_NAMES = Object.keys(GATE_REASONS) as GateName[]

/** A request without limits has no gate for them. */
const gatesOf = ({ limits }: DecisionRequest): readonly GateName[] =>
  limits === undefined ? GATE_NAMES.filter((gate) => gate !== 'request') : GATE_NAMES

function whatWouldWin(
  index: DecisionIndex,
  request: DecisionRequest,
  ports: ExplainPorts & { readonly trace: Trace },
): WinRequirements {
  const adKey = ports.adKey!
  const candidate = index.adRows.get(adKey)
  if (candidate === undefined) return unknownAd(adKey)
  const placement = placementFor(index, request, ports.trace.outcomes.get(candidate))
  if (placement === undefined) return nowhere(adKey, index.candidates.effectiveBid(candidate))
  const run = new Run(index, request, { placement, ports })
  const obstacles = GATES.map((gate) => gate(run, candidate)).filter((reason) => reason !== PASSED)

  const isCpc = index.candidates.isCpc(candidate)
  const ctr = predictCtr(index.candidates.odds(candidate), run.context)
  const worth = index.candidates.quality(candidate) * relevanceOf(request.shortlist, adKey)
  const perMicro = isCpc ? worth * ctr : worth / 1000
  const scoreToBeat = bestRival(ports.trace, candidate)
  const floorUnit = isCpc ? Math.ceil(run.floorMicros / (1000 * ctr)) : run.floorMicros
  const overRival = scoreToBeat === undefined ? 0 : Math.floor(scoreToBeat / perMicro) + 1
  return {
    adKey,
    isKnown: true,
    hasWon: ports.trace.outcomes.get(candidate)?.reason === 'won',
    obstacles: obstacles.map((reason) => REASONS[reason]!),
    score: index.candidates.effectiveBid(candidate) * perMicro,
    scoreToBeat,
    effectiveBidMicros: index.candidates.effectiveBid(candidate),
    effectiveBidMicrosNeeded: Math.max(floorUnit, overRival),
  }
}

function relevanceOf(shortlist: Shortlist | undefined, adKey: number): number {
  const place = shortlist?.adKeys.indexOf(adKey) ?? -1
  return place < 0 ? 1 : shortlist!.relevance[place]!
}

/** The placement that is asked; by type, the one for which the ad came furthest. */
function placementFor(
  index: DecisionIndex,
  { placementKey, publisherKey, placementType: type = '' }: DecisionRequest,
  outcome: CandidateOutcome | undefined,
) {
  const key = placementKey ?? outcome?.placementKey
  if (key !== undefined) return findActive(index, key)
  return index.placementsByType.find({ publisherKey, type })[0]
}

const unknownAd = (adKey: number): WinRequirements => ({
  adKey,
  isKnown: false,
  hasWon: false,
  obstacles: [],
  score: 0,
  scoreToBeat: undefined,
  effectiveBidMicros: 0,
  effectiveBidMicrosNeeded: 0,
})

/** Nothing can win where there is no placement. */
const nowhere = (adKey: number, effectiveBidMicros: number): WinRequirements => ({
  ...unknownAd(adKey),
  isKnown: true,
  obstacles: ['placement-not-active'],
  effectiveBidMicros,
})

function bestRival(trace: Trace, candidate: number): number | undefined {
  let best: number | undefined
  for (const [other, { score }] of trace.outcomes) {
    if (other === candidate || score === undefined) continue
    if (best === undefined || score > best) best = score
  }
  return best
}
