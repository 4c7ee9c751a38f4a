import { drawBelow, type Draws } from '../random.ts'
import { betaDraw } from './beta.ts'

/** A creative that may be shown, with its figures of the last hour. */
export interface Arm {
  readonly impressions: number
  readonly clicks: number
  readonly cpm: number
  /** How well its category fits the page. Used while it has no click rate. */
  readonly categoryScore: number
}

const WARM_IMPRESSIONS = 10
const COLD_CHANCE = 0.3
const NEW_NOISE = 0.1
const COLD_NOISE = 0.15
const RATE_MIN = 0.001

/**
 * Index of the arm to show, or -1 without arms. Rules in order: no arm was shown yet → by category; all
 * have little evidence → the least shown; some were never shown → sometimes one of those; otherwise by
 * a rate drawn from each arm's evidence × ln(1 + CPM).
 */
export function pickArm(arms: readonly Arm[], draws: Draws): number {
  if (arms.length === 0) return -1
  const cold = arms.flatMap((arm, at) => (arm.impressions === 0 ? [at] : []))
  if (cold.length === arms.length) {
    return best(arms, (arm) => worth(noisy(arm.categoryScore, NEW_NOISE, draws), arm))
  }
  if (arms.every(({ impressions }) => impressions < WARM_IMPRESSIONS)) {
    return best(arms, ({ impressions }) => -impressions)
  }
  if (cold.length > 0 && draws.next() < COLD_CHANCE) return cold[drawBelow(draws, cold.length)]!
  return best(arms, (arm) => worth(drawnRate(arm, draws), arm))
}

function drawnRate(arm: Arm, draws: Draws): number {
  if (arm.impressions === 0) return noisy(arm.categoryScore, COLD_NOISE, draws)
  return betaDraw({ a: arm.clicks + 1, b: Math.max(0, arm.impressions - arm.clicks) + 1 }, draws)
}

const worth = (rate: number, { cpm }: Arm): number => rate * Math.log(1 + cpm)

const noisy = (score: number, noise: number, draws: Draws): number =>
  Math.max(RATE_MIN, score + noise * (2 * draws.next() - 1))

function best(arms: readonly Arm[], scoreOf: (arm: Arm) => number): number {
  let found = -1
  let most = -Infinity
  arms.forEach((arm, at) => {
    const score = scoreOf(arm)
    if (score <= most) return
    most = score
    found = at
  })
  return found
}
