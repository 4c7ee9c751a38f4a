import type { GateVerdict } from './gate.ts'

/** Shares of traffic that a learned policy gets, step by step. */
export const RAMP: readonly number[] = [0.01, 0.05, 0.25, 1]

export interface RampState {
  readonly share: number
  /** Verdicts at this share so far. */
  readonly judged: number
}

export type RampMove = 'start' | 'up' | 'stay' | 'roll-back'

/**
 * The next share after a verdict. A policy starts, and moves one step up, when it is as good as the base
 * policy. It keeps its share while that is undecided, and gets no traffic when it is worse.
 */
export function moveOn(
  state: RampState,
  verdict: GateVerdict,
  judgementsPerStep = 1,
): { move: RampMove; state: RampState } {
  if (verdict === 'worse' && state.share > 0) {
    return { move: 'roll-back', state: { share: 0, judged: 0 } }
  }
  if (verdict !== 'as-good') return { move: 'stay', state: { ...state, judged: state.judged + 1 } }
  if (state.share === 0) return { move: 'start', state: { share: RAMP[0]!, judged: 0 } }
  const next = RAMP.find((share) => share > state.share)
  if (next === undefined || state.judged + 1 < judgementsPerStep) {
    return { move: 'stay', state: { ...state, judged: state.judged + 1 } }
  }
  return { move: 'up', state: { share: next, judged: 0 } }
}
