import type { DecisionIndex } from '../columns/catalogue.ts'
import { decide } from '../decide/decide.ts'
import type { Decision } from '../decide/decision.ts'
import { GATE_REASONS, type GateName, type Reason } from './reasons.ts'
import type { DecisionRequest, Draws, LiveState } from '../decide/run.ts'
import { RepeatedDraws, whatWouldWin, type WinRequirements } from './requirements.ts'
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

/** Decides again with a trace, using the same code as every request. */
export function explain(
  index: DecisionIndex,
  request: DecisionRequest,
  ports: ExplainPorts,
): Explanation {
  const { adKey, live } = ports
  const trace = new Trace({ alsoAd: adKey })
  const draws = new RepeatedDraws(ports.draws)
  const decision = decide(index, request, { live, draws, trace })
  const outcomes = [...trace.outcomes.values()].toSorted(
    (a, b) => (b.score ?? -1) - (a.score ?? -1) || a.candidate.key - b.candidate.key,
  )
  const requirements =
    adKey === undefined
      ? undefined
      : whatWouldWin(index, request, { adKey, live, draws, outcomes: trace.outcomes })
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
