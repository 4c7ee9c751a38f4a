import { describe, expect, test } from 'vitest'
import {
  clearStale,
  freshSpend,
  isExhausted,
  newPace,
  nextThrottle,
  noteRequest,
  type PaceFacts,
  paceRatio,
  type PaceState,
  passesFairness,
  rollOver,
  sumPaces,
} from './pace-controller.ts'
import { newTrafficShape } from './traffic-shape.ts'

const config = { dayDurationSeconds: 86_400, warmupMode: false }
const volumes = newTrafficShape().weekday
const totals = (spentMicros: number) => ({
  budgetMicros: 86_400_000_000,
  spentMicros,
  cpmMicros: 5_000_000,
  participants: '1',
})
const facts = (nowMs: number, spentMicros: number, more: Partial<PaceFacts> = {}): PaceFacts => ({
  nowMs,
  config,
  totals: totals(spentMicros),
  volumes,
  ...more,
})

/** One request every `everyMs` from the start of the day. */
function afterRequests(count: number, everyMs: number): PaceState {
  let state = newPace(0)
  for (let at = 0; at < count; at++) state = noteRequest(state, facts(at * everyMs, 0))
  return state
}

describe('hard stops', () => {
  test('nothing is served when the budget is spent or the day is over', () => {
    const state = afterRequests(100, 200)

    expect(nextThrottle(state, facts(20_000, 86_400_000_000)).throttle).toBe(1)
    expect(nextThrottle(state, facts(86_400_000, 0)).throttle).toBe(1)
  })

  test('warm-up mode observes traffic and serves nothing', () => {
    const state = afterRequests(100, 200)
    const warm = facts(20_000, 0, { config: { ...config, warmupMode: true } })

    expect(state.requests).toBe(100)
    expect(nextThrottle(state, warm).throttle).toBe(1)
  })

  test('a test override is used unchanged', () => {
    const override = facts(20_000, 0, { config: { ...config, testThrottleOverride: 0.4 } })

    expect(nextThrottle(newPace(0), override).throttle).toBe(0.4)
  })
})

describe('grace', () => {
  test('serves at the base rate and keeps the integral at zero', () => {
    const state = afterRequests(4, 100)

    const verdict = nextThrottle(state, facts(400, 0))

    expect(verdict.throttle).toBe(0)
    expect(verdict.state.integral).toBe(0)
  })

  test('ends after ten seconds and enough requests', () => {
    const state = afterRequests(100, 200)

    const verdict = nextThrottle(state, facts(19_800, 0))

    expect(verdict.state.updates).toBe(1)
    expect(verdict.state.integral).toBeGreaterThan(0)
  })

  test('a simulated day of ten minutes has a grace of one second', () => {
    const short = { ...config, dayDurationSeconds: 600 }
    const state = afterRequests(12, 100)

    const verdict = nextThrottle(state, facts(1_100, 0, { config: short }))

    expect(verdict.state.updates).toBe(1)
  })
})

describe('steering', () => {
  test('throttles harder when ahead of plan than it eases when behind', () => {
    const state = { ...afterRequests(3_000, 5), ratePerSecond: 1_000 }
    const onPlan = 86_400_000_000 * (15 / 86_400)
    const planned = Math.max(onPlan, 86_400_000_000 * 0.01)

    const ahead = nextThrottle(state, facts(15_000, planned * 1.2)).throttle
    const even = nextThrottle(state, facts(15_000, planned)).throttle
    const behind = nextThrottle(state, facts(15_000, planned * 0.8)).throttle

    expect(ahead - even).toBeGreaterThan(even - behind)
    expect(even).toBeGreaterThan(behind)
  })

  test('never exceeds 0.99 while there is budget', () => {
    const state = { ...afterRequests(3_000, 5), ratePerSecond: 1e9 }

    expect(nextThrottle(state, facts(15_000, 80_000_000_000)).throttle).toBe(0.99)
  })

  test('long overspending raises the gain, to five at most', () => {
    let state: PaceState = { ...afterRequests(3_000, 5), ratePerSecond: 1_000 }
    for (let at = 0; at < 200; at++) {
      state = nextThrottle(state, facts(15_000 + at * 600, 20_000_000_000)).state
    }

    expect(state.overpaceGain).toBe(5)
  })

  test('another set of campaigns resets the controller', () => {
    const steered = { ...afterRequests(3_000, 5), integral: 0.7, participants: '1,2' }

    const { state } = nextThrottle(steered, facts(15_000, 0))

    expect(Math.abs(state.integral)).toBeLessThan(0.2)
  })

  test('after thirty quiet seconds the integral and the smoothing are cleared', () => {
    const steered = { ...afterRequests(10, 100), integral: 0.7, smoothedRatio: 1.4 }

    expect(clearStale(steered, 30_000, config).integral).toBe(0.7)
    expect(clearStale(steered, 30_900, config)).toMatchObject({
      integral: 0,
      smoothedRatio: undefined,
    })
  })

  test('a site that starts late spreads its budget over the rest of the day', () => {
    const noonMs = 43_200_000
    const late = noteRequest(newPace(0), facts(noonMs, 0))

    const ratio = paceRatio(late, facts(noonMs + 21_600_000, 43_200_000_000), 0.75)

    expect(ratio).toBeCloseTo(1)
  })

  test('a controller that starts with half of the budget spent plans the other half', () => {
    const noonMs = 43_200_000
    const half = { ...newPace(0), startSpentMicros: 43_200_000_000 }
    const late = noteRequest(half, facts(noonMs, 0))

    expect(paceRatio(late, facts(noonMs + 1_000, 43_200_000_000), 0.5)).toBe(0)
    expect(paceRatio(late, facts(noonMs + 21_600_000, 64_800_000_000), 0.75)).toBeCloseTo(1)
  })

  test('another set of campaigns starts a plan for its remaining budget', () => {
    const noonMs = 43_200_000
    const steered = { ...afterRequests(3_000, 5), participants: '1,2' }
    const { state } = nextThrottle(steered, facts(noonMs, 43_200_000_000))

    expect(paceRatio(state, facts(noonMs + 21_600_000, 64_800_000_000), 0.75)).toBeCloseTo(1)
  })
})

describe('rollover', () => {
  test('a budget spent early raises the gain of the next day', () => {
    const next = rollOver(newPace(0), { dayStartMs: 86_400_000, exhaustedAtFraction: 0.6 })

    expect(next.overpaceGain).toBeCloseTo(2.8)
    expect(next).toMatchObject({ integral: 0, smoothedRatio: undefined, ratios: [], requests: 0 })
  })

  test('a budget spent in the last 5 % of the day lowers the gain', () => {
    const firm = { ...newPace(0), overpaceGain: 4 }

    const next = rollOver(firm, { dayStartMs: 1, exhaustedAtFraction: 0.96 })

    expect(next.overpaceGain).toBeCloseTo(3.9)
  })
})

describe('regressions', () => {
  test('a plan near zero at night does not black the site out', () => {
    const night = volumes.map((_, hour) => (hour < 6 ? 0.000_01 : 1))
    const fraction = 1 / 24

    const ratio = paceRatio(newPace(0), facts(3_600_000, 5_000, { volumes: night }), fraction)

    expect(ratio).toBeLessThan(1)
  })

  test('an exhausted campaign counts in neither sum', () => {
    const open = {
      key: 1,
      dailyBudgetMicros: 10_000_000,
      spentMicros: 1_000_000,
      cpmMicros: 5_000_000,
      cpmMicrosMin: 5_000_000,
    }
    const spent = { ...open, key: 2, spentMicros: 9_996_000 }

    expect(isExhausted(spent)).toBe(true)
    expect(sumPaces([open, spent])).toEqual({
      budgetMicros: 10_000_000,
      spentMicros: 1_000_000,
      cpmMicros: 5_000_000,
      participants: '1',
    })
  })

  test('a campaign that can pay one impression of its cheapest creative is not exhausted', () => {
    const nearly = {
      key: 1,
      dailyBudgetMicros: 10_000_000,
      spentMicros: 9_996_000,
      cpmMicros: 5_000_000,
      cpmMicrosMin: 4_000_000,
    }

    expect(isExhausted(nearly)).toBe(false)
  })

  test('the cached spend of a past day is ignored', () => {
    const record = { spentMicros: 7, dayStartMs: 0, dayEndMs: 86_400_000 }

    expect(freshSpend(record, 86_399_999)).toBe(7)
    expect(freshSpend(record, 86_400_000)).toBeUndefined()
    expect(freshSpend(undefined, 0)).toBeUndefined()
  })

  test('a campaign at twice its plan passes half of the time, an unknown campaign always', () => {
    expect(passesFairness(2, 0.49)).toBe(true)
    expect(passesFairness(2, 0.5)).toBe(false)
    expect(passesFairness(0.9, 0.999)).toBe(true)
    expect(passesFairness(undefined, 0.999)).toBe(true)
  })
})

const campaign = (key: number, cpmMicros: number) => ({
  key,
  dailyBudgetMicros: 10_000_000,
  spentMicros: 0,
  cpmMicros,
  cpmMicrosMin: cpmMicros,
})

test('the mean CPM is weighted by the impressions each budget buys', () => {
  expect(sumPaces([campaign(1, 2_000_000), campaign(2, 8_000_000)]).cpmMicros).toBe(3_200_000)
})

describe('the controller, computed by hand', () => {
  const DAY_START = 1_000_000_000_000
  const NOON = DAY_START + 43_200_000
  const SMALL = {
    budgetMicros: 864_000_000,
    spentMicros: 0,
    cpmMicros: 5_000_000,
    participants: '1',
  }

  /** A controller at noon that has left its grace. */
  const atNoon = (more: Partial<PaceState> = {}): PaceState => ({
    ...newPace(DAY_START),
    requests: 1_000,
    firstRequestMs: DAY_START,
    lastRequestMs: NOON,
    ratePerSecond: 1,
    participants: '1',
    ...more,
  })
  const noon = (ratio: number, nowMs = NOON) =>
    facts(nowMs, 43_200_000_000 * ratio * ((nowMs - DAY_START) / 43_200_000))

  test('the rate is measured in windows of at least a second, and smoothed by 30 %', () => {
    let state = newPace(DAY_START)
    const arrive = (ms: number) => (state = noteRequest(state, facts(DAY_START + ms, 0)))
    for (let ms = 0; ms < 1_000; ms += 100) arrive(ms)
    expect(state.ratePerSecond).toBeUndefined()
    arrive(2_000)
    expect(state.ratePerSecond).toBe(5)
    arrive(2_500)
    arrive(3_000)
    expect(state.ratePerSecond).toBeCloseTo(4.1, 10)
  })

  test('the base rate is one minus target over rate, by the traffic of the hour', () => {
    const busyNoon = volumes.with(12, 3)
    const at = (ratePerSecond: number, shape: readonly number[]) =>
      nextThrottle(atNoon({ ratePerSecond, firstRequestMs: NOON }), {
        ...facts(NOON, 0, { volumes: shape }),
        totals: SMALL,
      }).throttle

    expect(at(4, volumes)).toBeCloseTo(1 - 2 / 4, 10)
    expect(at(8, busyNoon)).toBeCloseTo(1 - (2 * 3 * 24) / 26 / 8, 10)
    expect(at(1, volumes)).toBe(0)
  })

  test('the throttle follows the smoothed ratio and its integral', () => {
    const first = nextThrottle(atNoon(), noon(1.2))
    expect(first.throttle).toBeCloseTo(2 * (0.5 * 0.2 + 0.3 * 0.02), 10)

    const second = nextThrottle(first.state, noon(1, NOON + 500))
    expect(second.state.smoothedRatio).toBeCloseTo(1.14, 6)
    expect(second.throttle).toBeCloseTo(2 * (0.5 * 0.14 + 0.3 * (0.02 * 0.995 + 0.14 * 0.5)), 6)
  })

  test.each([
    ['ten seconds and ten requests at one per second', 10_000, 10, 1, false],
    ['less than ten seconds', 9_999, 50, 1, true],
    ['fewer requests than ten seconds bring', 10_000, 9, 1, true],
    ['fewer than 30 requests at three per second', 10_000, 29, 3, true],
    ['30 requests at three per second', 10_000, 30, 3, false],
    ['50 requests at any rate', 10_000, 50, 9, false],
    ['five requests at an unknown rate', 10_000, 5, undefined, false],
    ['four requests at an unknown rate', 10_000, 4, undefined, true],
  ])(
    'a controller after %s, in grace or not',
    (...[, elapsedMs, requests, ratePerSecond, isInGrace]) => {
      const state = atNoon({ firstRequestMs: NOON - elapsedMs, requests, ratePerSecond })

      expect(nextThrottle(state, noon(1)).state.updates).toBe(isInGrace ? 0 : 1)
    },
  )

  test.each([
    ['on plan and steady', Array(9).fill(1), 1, { overpaceGain: 1.9, ratioAlpha: 0.315 }],
    ['above plan', Array(9).fill(1.1), 1.1, { overpaceGain: 2.3, ratioAlpha: 0.315 }],
    ['below plan', Array(9).fill(0.9), 0.9, { overpaceGain: 2, ratioAlpha: 0.315 }],
    [
      'noisy around the plan',
      [0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9],
      1.1,
      { overpaceGain: 1.9, ratioAlpha: 0.3 / 1.3 },
    ],
    [
      'with a little noise',
      [0.95, 1.05, 0.95, 1.05, 0.95, 1.05, 0.95, 1.05, 0.95],
      1.05,
      { ratioAlpha: 0.3 },
    ],
  ])('after ten updates %s, gain and smoothing are tuned', (...[, ratios, last, expected]) => {
    const { state } = nextThrottle(atNoon({ ratios, updates: 9 }), noon(last))

    for (const [name, value] of Object.entries(expected)) {
      expect(state[name as 'overpaceGain' | 'ratioAlpha']).toBeCloseTo(value, 6)
    }
  })

  test('nothing is tuned before ten updates, or again within half a second', () => {
    const early = nextThrottle(atNoon({ ratios: Array(8).fill(1), updates: 8 }), noon(1)).state
    const again = nextThrottle(
      atNoon({ ratios: Array(9).fill(1), updates: 9, lastTuneMs: NOON - 499 }),
      noon(1),
    ).state

    expect([early.overpaceGain, again.overpaceGain]).toEqual([2, 2])
  })

  test('a controller that starts at the end of the traffic plans for all of it', () => {
    const state = atNoon({ startCdf: 1, startSpentMicros: 0 })

    expect(paceRatio(state, noon(1), 1)).toBeCloseTo(0.5, 10)
  })
})
