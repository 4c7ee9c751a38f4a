import { DAY_SECONDS } from '@placard/calendar'
import { relativeVolume, trafficCdf } from './traffic-shape.ts'

const KP = 0.5
const KI = 0.3
const THROTTLE_MAX = 0.99
const HARD_STOP = 1
const GAIN = { start: 2, min: 1.5, max: 5 }
const ALPHA = { start: 0.3, min: 0.1, max: 0.5 }
const RATE_ALPHA = 0.3
const INTEGRAL_DECAY = 0.995
const TUNE = { window: 20, samples: 10, everyMs: 500 }
const CPM_DEFAULT_MICROS = 5_000_000
/** 0.01 of the currency: the smallest plan that spend is compared with. */
const EXPECTED_MIN_MICROS = 10_000

/** Settings of a site. A day shorter than 24 hours is simulated, and its times are scaled. */
export interface PacingConfig {
  readonly dayDurationSeconds: number
  /** Only observe traffic: serve nothing. */
  readonly warmupMode: boolean
  readonly testThrottleOverride?: number | undefined
}

/** State of a site's controller, as plain data. The next state depends on it and the facts alone. */
export interface PaceState {
  readonly dayStartMs: number
  /** Share of the day's traffic that had passed when the controller started. */
  readonly startCdf: number
  /** Spent by then. The plan is for the rest. */
  readonly startSpentMicros: number
  readonly requests: number
  readonly firstRequestMs: number | undefined
  readonly lastRequestMs: number | undefined
  readonly windowStartMs: number
  readonly windowRequests: number
  readonly ratePerSecond: number | undefined
  readonly integral: number
  readonly smoothedRatio: number | undefined
  readonly lastUpdateMs: number | undefined
  readonly updates: number
  readonly lastTuneMs: number
  readonly ratios: readonly number[]
  readonly overpaceGain: number
  readonly ratioAlpha: number
  /** Identifies the set of campaigns. Another set resets the controller. */
  readonly participants: string
}

export interface PaceFacts {
  readonly nowMs: number
  readonly config: PacingConfig
  readonly totals: PaceTotals
  /** The learned traffic shape of this kind of day. */
  readonly volumes: readonly number[]
}

export interface CampaignPace {
  readonly key: number
  readonly dailyBudgetMicros: number
  /** Spent and pending today. */
  readonly spentMicros: number
  readonly cpmMicros: number
  /** CPM of its cheapest creative. With less than one impression's price left, it is exhausted. */
  readonly cpmMicrosMin: number
}

export interface PaceTotals {
  readonly budgetMicros: number
  readonly spentMicros: number
  readonly cpmMicros: number
  readonly participants: string
}

/** Leaves out exhausted campaigns: their spent budgets would make the others look ahead of plan. */
export function sumPaces(campaigns: readonly CampaignPace[]): PaceTotals {
  const active = campaigns.filter((campaign) => !isExhausted(campaign))
  let budgetMicros = 0
  let spentMicros = 0
  let impressions = 0
  for (const campaign of active) {
    budgetMicros += campaign.dailyBudgetMicros
    spentMicros += campaign.spentMicros
    impressions += campaign.dailyBudgetMicros / campaign.cpmMicros
  }
  return {
    budgetMicros,
    spentMicros,
    cpmMicros: impressions > 0 ? budgetMicros / impressions : CPM_DEFAULT_MICROS,
    participants: active.map(({ key }) => key).join(),
  }
}

export const isExhausted = (campaign: CampaignPace): boolean =>
  campaign.dailyBudgetMicros - campaign.spentMicros < campaign.cpmMicrosMin / 1000

export function newPace(dayStartMs: number): PaceState {
  return {
    dayStartMs,
    startCdf: 0,
    startSpentMicros: 0,
    requests: 0,
    firstRequestMs: undefined,
    lastRequestMs: undefined,
    windowStartMs: dayStartMs,
    windowRequests: 0,
    ratePerSecond: undefined,
    integral: 0,
    smoothedRatio: undefined,
    lastUpdateMs: undefined,
    updates: 0,
    lastTuneMs: 0,
    ratios: [],
    overpaceGain: GAIN.start,
    ratioAlpha: ALPHA.start,
    participants: '',
  }
}

/** Counts a request, whether or not an ad is served. */
export function noteRequest(state: PaceState, facts: Omit<PaceFacts, 'totals'>): PaceState {
  const { nowMs, config, volumes } = facts
  const first = state.firstRequestMs === undefined
  const seconds = (nowMs - state.windowStartMs) / 1000
  const isWindowOver = seconds >= 1
  const measured = (state.windowRequests + 1) / Math.max(seconds, 1)
  const before = state.ratePerSecond
  const rate = before === undefined ? measured : before + RATE_ALPHA * (measured - before)
  return {
    ...state,
    startCdf: first ? trafficCdf(volumes, dayFraction(state, nowMs, config)) : state.startCdf,
    requests: state.requests + 1,
    firstRequestMs: state.firstRequestMs ?? nowMs,
    lastRequestMs: nowMs,
    windowStartMs: first || isWindowOver ? nowMs : state.windowStartMs,
    windowRequests: first || isWindowOver ? 0 : state.windowRequests + 1,
    ratePerSecond: !first && isWindowOver ? rate : before,
  }
}

export interface PaceVerdict {
  readonly state: PaceState
  /** Share of page requests to leave empty. */
  readonly throttle: number
}

/** The next throttle of a site. Call it once per page request, after `noteRequest`. */
export function nextThrottle(before: PaceState, facts: PaceFacts): PaceVerdict {
  const { config, totals, nowMs } = facts
  const state = joined(before, facts)
  if (config.testThrottleOverride !== undefined) {
    return { state, throttle: config.testThrottleOverride }
  }
  const left = totals.budgetMicros - totals.spentMicros
  const fraction = dayFraction(state, nowMs, config)
  if (config.warmupMode || left <= 0 || fraction >= 1) return { state, throttle: HARD_STOP }

  const base = baseThrottle(state, facts, fraction)
  if (isInGrace(state, facts)) return { state, throttle: Math.min(base, THROTTLE_MAX) }
  return steer(state, { facts, base, fraction })
}

/** Resets the controller for another set of campaigns and plans their remaining budget. */
function joined(state: PaceState, { totals, volumes, config, nowMs }: PaceFacts): PaceState {
  const { participants, spentMicros } = totals
  if (state.participants === participants) return state
  if (state.participants === '') return { ...state, participants }
  return {
    ...unsteered(state),
    participants,
    startCdf: trafficCdf(volumes, dayFraction(state, nowMs, config)),
    startSpentMicros: spentMicros,
  }
}

const unsteered = (state: PaceState): PaceState => ({
  ...state,
  integral: 0,
  smoothedRatio: undefined,
  ratios: [],
  updates: 0,
  lastUpdateMs: undefined,
})

const dayFraction = (state: PaceState, nowMs: number, config: PacingConfig) =>
  (nowMs - state.dayStartMs) / 1000 / config.dayDurationSeconds

/** The throttle that reaches the target rate. 0 while traffic is below the target. */
function baseThrottle(state: PaceState, { totals, config, volumes }: PaceFacts, fraction: number) {
  const spendPerSecond = totals.budgetMicros / config.dayDurationSeconds
  const target = (spendPerSecond / (totals.cpmMicros / 1000)) * relativeVolume(volumes, fraction)
  // In the first second, the rate is at least the number of requests so far.
  const rate = state.ratePerSecond ?? state.requests
  return rate > target ? 1 - target / rate : 0
}

/** Too few requests to control by. The base rate serves small sites from the first minute. */
function isInGrace(state: PaceState, { nowMs, config }: PaceFacts): boolean {
  const scaled = (seconds: number) =>
    Math.max(1, (seconds * config.dayDurationSeconds) / DAY_SECONDS)
  const elapsedSeconds = (nowMs - (state.firstRequestMs ?? nowMs)) / 1000
  const needed =
    state.ratePerSecond === undefined ? 5 : clamp(state.ratePerSecond * scaled(10), 10, 50)
  return elapsedSeconds < scaled(10) || state.requests < needed
}

/** After a pause without requests, clears the integral: it describes another situation. */
export function clearStale(state: PaceState, nowMs: number, config: PacingConfig): PaceState {
  const limit = Math.max(1, (30 * config.dayDurationSeconds) / DAY_SECONDS)
  if (state.lastRequestMs === undefined || nowMs - state.lastRequestMs < limit * 1000) return state
  return { ...state, integral: 0, smoothedRatio: undefined }
}

interface Steering {
  readonly facts: PaceFacts
  readonly base: number
  readonly fraction: number
}

function steer(state: PaceState, { facts, base, fraction }: Steering): PaceVerdict {
  const { nowMs } = facts
  const ratio = paceRatio(state, facts, fraction)
  const smoothed =
    state.smoothedRatio === undefined
      ? ratio
      : state.smoothedRatio + state.ratioAlpha * (ratio - state.smoothedRatio)
  const dt =
    state.lastUpdateMs === undefined ? 0.1 : clamp((nowMs - state.lastUpdateMs) / 1000, 0.001, 1)
  const error = 1 - smoothed
  const integral = clamp(state.integral * INTEGRAL_DECAY + error * dt, -1, 1)
  const gain = error < 0 ? state.overpaceGain : 1
  // Changes the share of requests that pass: where one in ten passes, 10 % more of all would double it.
  const correction = gain * (KP * error + KI * integral) * (1 - base)
  const next = {
    ...state,
    integral,
    smoothedRatio: smoothed,
    lastUpdateMs: nowMs,
    updates: state.updates + 1,
    ratios: [...state.ratios, ratio].slice(-TUNE.window),
  }
  return { state: tuned(next, nowMs), throttle: clamp(base - correction, 0, THROTTLE_MAX) }
}

/**
 * Spend divided by plan. At night the plan is near zero; without a floor, a single impression would
 * give a ratio of thousands and stop the site.
 */
export function paceRatio(state: PaceState, facts: PaceFacts, fraction: number): number {
  const { totals, volumes } = facts
  const cdf = trafficCdf(volumes, fraction)
  const share = state.startCdf >= 1 ? 1 : (cdf - state.startCdf) / (1 - state.startCdf)
  const budgetMicros = totals.budgetMicros - state.startSpentMicros
  const expected = budgetMicros * Math.max(0, share)
  const spentMicros = Math.max(0, totals.spentMicros - state.startSpentMicros)
  return spentMicros / Math.max(expected, budgetMicros * 0.01, EXPECTED_MIN_MICROS)
}

/** Overspending raises the gain, spending on plan lowers it. Noisy ratios are smoothed more. */
function tuned(state: PaceState, nowMs: number): PaceState {
  const { ratios, updates } = state
  const isDue = nowMs - state.lastTuneMs >= TUNE.everyMs
  if (updates < TUNE.samples || ratios.length < TUNE.samples || !isDue) return state
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const spread = Math.sqrt(ratios.reduce((sum, r) => sum + (r - mean) ** 2, 0) / ratios.length)
  let gain = state.overpaceGain
  if (mean > 1.05) gain *= 1.15
  else if (mean >= 0.98 && mean <= 1.02) gain *= 0.95
  let alpha = state.ratioAlpha
  if (spread > 0.08) alpha /= 1.3
  else if (spread < 0.04) alpha *= 1.05
  return {
    ...state,
    lastTuneMs: nowMs,
    overpaceGain: clamp(gain, GAIN.min, GAIN.max),
    ratioAlpha: clamp(alpha, ALPHA.min, ALPHA.max),
  }
}

/** A budget spent early raises the gain of the next day. A good day moves the gain towards its start. */
export function rollOver(state: PaceState, day: RollOver): PaceState {
  const { exhaustedAtFraction, dayStartMs } = day
  const left = exhaustedAtFraction === undefined ? 0 : 1 - exhaustedAtFraction
  const gain =
    left > 0.05
      ? Math.min(GAIN.max, state.overpaceGain * (1 + left))
      : GAIN.start + (state.overpaceGain - GAIN.start) * 0.95
  return {
    ...newPace(dayStartMs),
    ratePerSecond: state.ratePerSecond,
    participants: state.participants,
    ratioAlpha: state.ratioAlpha,
    overpaceGain: gain,
  }
}

export interface RollOver {
  readonly dayStartMs: number
  /** When the day's budget was spent, as a share of the day. Undefined if it was not. */
  readonly exhaustedAtFraction: number | undefined
}

/** Fairness within a site: a campaign ahead of its plan passes with probability 1/ratio. */
export function passesFairness(ratio: number | undefined, draw: number): boolean {
  return ratio === undefined || ratio <= 1 || draw < 1 / ratio
}

export interface SpendRecord {
  readonly spentMicros: number
  readonly dayStartMs: number
  readonly dayEndMs: number
}

/** Ignores the cached spend of a past day. */
export function freshSpend(record: SpendRecord | undefined, nowMs: number): number | undefined {
  if (record === undefined || nowMs < record.dayStartMs || nowMs >= record.dayEndMs)
    return undefined
  return record.spentMicros
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
