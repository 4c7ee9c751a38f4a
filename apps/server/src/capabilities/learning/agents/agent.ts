import {
  type BidPolicy,
  type GateJudgement,
  moveOn,
  type RampMove,
  sayCost,
  sayJudgement,
  sayTrial,
  type CostJudgement,
  type TrialJudgement,
} from '@placard/learning'

/**
 * Which policy bids for a campaign.
 *
 * | state          | bids                                              | leaves it when                       |
 * |----------------|---------------------------------------------------|--------------------------------------|
 * | no trial       | `base`                                            | the aim asks for more: trial at 0;   |
 * |                |                                                   | `dqn` waits for a network            |
 * | trial, share 0 | `base`                                            | the gate finds it as good: 1 %       |
 * | trial, share s | `trial` in a share s of the minutes, else `base`  | as good: 5, 25, 100 %; worse, by the |
 * |                |                                                   | replay or by its own minutes: 0      |
 * | trial, share 1 | `trial`                                           | as good once more: it is the base    |
 */
export interface AgentState {
  readonly aim: BidPolicy
  readonly base: BidPolicy
  readonly trial: BidPolicy | undefined
  readonly share: number
  /** Judgements at this share so far. */
  readonly judged: number
}

/** The steps from booked bids to each aim. The last step of each is the aim itself. */
const LADDERS: Readonly<Record<BidPolicy, readonly BidPolicy[]>> = {
  fixed: ['fixed'],
  're-solve': ['fixed', 're-solve'],
  dqn: ['fixed', 're-solve', 'dqn'],
  'dqn-seed': ['fixed', 'dqn-seed'],
  tcpa: ['fixed', 'tcpa'],
}

/** The trial is the step after the base on the way to the aim. */
function withTrial(state: AgentState): AgentState {
  const ladder = LADDERS[state.aim]
  const trial = ladder[ladder.indexOf(state.base) + 1]
  return trial === state.trial ? state : { ...state, trial, share: 0, judged: 0 }
}

/**
 * `dqn` is a network on top of `re-solve`. Without a network there is nothing to try, and a `dqn`
 * base is really `re-solve`. A network puts `dqn` on trial again.
 */
export function withNetwork(state: AgentState, hasNetwork: boolean): AgentState {
  if (hasNetwork) return state.trial === undefined ? withTrial(state) : state
  const base = state.base === 'dqn' ? 're-solve' : state.base
  if (base === state.base && state.trial !== 'dqn') return state
  return { ...state, base, trial: undefined, share: 0, judged: 0 }
}

/**
 * `tcpa` needs a sound conversion model to begin. An agent that has begun keeps its place while the
 * model is off, and bids as booked.
 */
export function withConversions(state: AgentState, isPredicted: boolean): AgentState {
  if (isPredicted) return state.trial === undefined ? withTrial(state) : state
  const isIdle = state.trial === 'tcpa' && state.share === 0
  return isIdle ? { ...state, trial: undefined, judged: 0 } : state
}

/** A campaign for which nobody has chosen a policy. */
export const NEW_AGENT: AgentState = {
  aim: 'dqn',
  base: 'fixed',
  trial: 're-solve',
  share: 0,
  judged: 0,
}

/** A new aim: a lower policy acts at once, a higher one has to pass the gate. */
export function aimAt(state: AgentState, aim: BidPolicy): AgentState {
  const passed = LADDERS[state.base]
  const base = LADDERS[aim].findLast((policy) => passed.includes(policy)) ?? 'fixed'
  return withTrial({ ...state, aim, base })
}

/**
 * The aim that a target makes of the chosen one: bids follow the target, unless somebody wants them
 * as booked. Without a target there is nothing that `tcpa` could follow.
 */
export function aimWith(chosen: BidPolicy, hasTarget: boolean): BidPolicy {
  if (hasTarget) return chosen === 'fixed' ? 'fixed' : 'tcpa'
  return chosen === 'tcpa' ? NEW_AGENT.aim : chosen
}

/** The state on the way to that aim. */
export function stateWith(state: AgentState, hasTarget: boolean): AgentState {
  const { base, trial } = state
  const aim = aimWith(state.aim, hasTarget)
  const ladder = LADDERS[aim]
  const next = ladder[ladder.indexOf(base) + 1]
  const isOnTheWay = ladder.includes(base) && (trial === next || mayWait(trial, next))
  return isOnTheWay ? { ...state, aim } : aimAt(state, aim)
}

/** A trial that needs a network, or predicted conversions, may not have begun. */
const mayWait = (trial: BidPolicy | undefined, next: BidPolicy | undefined): boolean =>
  trial === undefined && (next === 'dqn' || next === 'tcpa')

export type AgentMove = RampMove | 'promote'

/** The next state after a judgement on the trial. */
export function afterTrial(
  state: AgentState,
  judgement: GateJudgement,
  live?: TrialJudgement,
): { readonly move: AgentMove; readonly state: AgentState } {
  const { trial, share, judged } = state
  if (trial === undefined) return { move: 'stay', state }
  // The trial's own minutes outrank the replay.
  const verdict = live?.verdict === 'worse' ? 'worse' : judgement.verdict
  if (share === 1 && verdict === 'as-good') {
    return { move: 'promote', state: withTrial({ ...state, base: trial }) }
  }
  const { move, state: ramp } = moveOn({ share, judged }, verdict)
  return { move, state: { ...state, ...ramp } }
}

/** The next state after the base was compared with booked bids. */
export function afterBase(
  state: AgentState,
  { verdict }: GateJudgement,
  live?: LiveJudgement,
): AgentState {
  const isWorse = verdict === 'worse' || live?.verdict === 'worse'
  return isWorse ? withTrial({ ...state, base: 'fixed', trial: undefined }) : state
}

/** What a policy's own minutes say: value per spend, or what a purchase really cost. */
export type LiveJudgement = TrialJudgement | CostJudgement

const sayLive = (live: LiveJudgement): string =>
  'purchases' in live ? sayCost(live) : sayTrial(live)

/** Describes a move for people. */
export function sayMove(
  move: AgentMove,
  { policy, before, after }: { policy: BidPolicy; before: number; after: number },
): string {
  if (move === 'start') return `${policy} gets its first ${percent(after)} of the time.`
  if (move === 'up')
    return `${policy} goes from ${percent(before)} to ${percent(after)} of the time.`
  if (move === 'roll-back') return `${policy} is taken back from ${percent(before)} of the time.`
  if (move === 'promote') return `${policy} is the base from now on.`
  return before === 0
    ? `${policy} gets no traffic yet.`
    : `${policy} stays at ${percent(before)} of the time.`
}

export const sayDecision = (
  {
    judgement,
    live,
  }: { readonly judgement: GateJudgement; readonly live?: TrialJudgement | undefined },
  move: Parameters<typeof sayMove>,
): string =>
  [sayJudgement(judgement), live && sayLive(live), sayMove(...move)].filter(Boolean).join(' ')

const percent = (share: number): string => `${Math.round(share * 100)} %`
