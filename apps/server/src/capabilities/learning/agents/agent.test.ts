import type { GateJudgement } from '@placard/learning'
import { describe, expect, test } from 'vitest'
import { afterBase, afterTrial, aimAt, NEW_AGENT, sayDecision, withNetwork } from './agent.ts'

const judgement = (verdict: GateJudgement['verdict']): GateJudgement => ({
  verdict,
  days: 7,
  gain: 0.12,
  low: 0.08,
  high: 0.16,
})

/** That many judgements that find the trial as good. */
function climb(times: number) {
  let state = NEW_AGENT
  const moves = Array.from({ length: times }, () => {
    const next = afterTrial(state, judgement('as-good'))
    state = next.state
    return `${next.move} ${state.base} ${state.trial} ${state.share}`
  })
  return { state, moves }
}

describe('a bid agent', () => {
  test('an agent starts with booked bids, tries re-solve, then dqn, each in growing shares of the time', () => {
    expect(climb(10).moves).toEqual([
      'start fixed re-solve 0.01',
      'up fixed re-solve 0.05',
      'up fixed re-solve 0.25',
      'up fixed re-solve 1',
      'promote re-solve dqn 0',
      'start re-solve dqn 0.01',
      'up re-solve dqn 0.05',
      'up re-solve dqn 0.25',
      'up re-solve dqn 1',
      'promote dqn undefined 0',
    ])
  })

  test('an agent tries dqn only once it has a network', () => {
    const { state } = climb(6)
    expect(state).toMatchObject({ base: 're-solve', trial: 'dqn', share: 0.01 })

    const without = withNetwork(state, false)
    expect(without).toMatchObject({ base: 're-solve', trial: undefined, share: 0 })
    expect(withNetwork(without, true)).toMatchObject({ trial: 'dqn', share: 0 })
    expect(withNetwork(state, true)).toBe(state)
    expect(withNetwork(climb(10).state, false)).toMatchObject({ base: 're-solve', share: 0 })
  })

  test('an agent takes a worse trial back, and starts it again when it is as good', () => {
    const { state } = climb(3)

    const back = afterTrial(state, judgement('worse'))

    expect(back).toMatchObject({ move: 'roll-back', state: { base: 'fixed', share: 0 } })
    expect(afterTrial(back.state, judgement('undecided')).state.share).toBe(0)
    expect(afterTrial(back.state, judgement('as-good')).state.share).toBe(0.01)
  })

  test('an agent takes back a trial that fell behind in its own minutes, whatever the replay promised', () => {
    const { state } = climb(3)
    const live = { verdict: 'worse', minutes: 300, gain: -0.2, low: -0.3, high: -0.1 } as const

    const back = afterTrial(state, judgement('as-good'), live)

    expect(back).toMatchObject({ move: 'roll-back', state: { share: 0 } })
    const share = { policy: 're-solve', before: 0.25, after: 0 } as const
    expect(sayDecision({ judgement: judgement('as-good'), live }, ['roll-back', share])).toMatch(
      /Fell behind: -20\.0 % per spend in 300 minutes of its own .* taken back from 25 %/,
    )
  })

  test('an agent falls back to booked bids when its base is worse than they are', () => {
    const { state } = climb(7)

    expect(afterBase(state, judgement('undecided'))).toBe(state)
    expect(afterBase(state, judgement('worse'))).toMatchObject({
      base: 'fixed',
      trial: 're-solve',
      share: 0,
    })
  })

  test('an agent obeys a lower aim at once, and asks the gate for a higher one', () => {
    const { state } = climb(10)
    expect(state.base).toBe('dqn')

    expect(aimAt(state, 'fixed')).toMatchObject({ base: 'fixed', trial: undefined })
    expect(aimAt(state, 're-solve')).toMatchObject({ base: 're-solve', trial: undefined })
    expect(aimAt(state, 'dqn-seed')).toMatchObject({ base: 'fixed', trial: 'dqn-seed', share: 0 })
    expect(aimAt(aimAt(state, 're-solve'), 'dqn')).toMatchObject({ base: 're-solve', trial: 'dqn' })
  })

  test('an agent says what it does and why', () => {
    const share = { policy: 're-solve', before: 0.05, after: 0.25 } as const

    expect(sayDecision({ judgement: judgement('as-good') }, ['up', share])).toBe(
      'At least as good: +12.0 % against the base on 7 days (+8.0 % to +16.0 %). re-solve goes from 5 % to 25 % of the time.',
    )
  })
})
