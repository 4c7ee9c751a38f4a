import type { Arm } from './thompson.ts'

const ROUNDS = 64
const ARMS_MAX = 16
const WARM_IMPRESSIONS = 10
const COLD_CHANCE = 0.3
const NEW_SPREAD = 0.1 / Math.sqrt(3)
const COLD_SPREAD = 0.15 / Math.sqrt(3)

/** Evenly spread standard normal values, in a different order for each arm. */
const NORMALS = Float64Array.from({ length: ROUNDS * ARMS_MAX }, (_, at) => {
  const step = stepOf(Math.floor(at / ROUNDS))
  return normalQuantile((((at % ROUNDS) + 0.5) * step) % 1)
})

/** Multiples of irrational numbers, modulo 1, are spread evenly. */
function stepOf(arm: number): number {
  return ((arm + 1) * Math.SQRT2 + (arm * arm * Math.sqrt(5)) / 7) % 1
}

/**
 * The probability that `pickArm` chooses this arm: the same rules with a normal distribution in place of
 * each draw. Never 0.
 */
export function propensityOf(arms: readonly Arm[], chosen: number): number {
  if (arms.length < 2) return 1
  const cold = arms.filter(({ impressions }) => impressions === 0).length
  if (cold === arms.length) return shareOf(arms, chosen)
  if (arms.every(({ impressions }) => impressions < WARM_IMPRESSIONS)) return 1
  if (cold === 0) return shareOf(arms, chosen)
  const tried = arms[chosen]!.impressions === 0 ? COLD_CHANCE / cold : 0
  return tried + (1 - COLD_CHANCE) * shareOf(arms, chosen)
}

function shareOf(arms: readonly Arm[], chosen: number): number {
  const count = Math.min(arms.length, ARMS_MAX)
  const isNew = arms.every(({ impressions }) => impressions === 0)
  const means = new Float64Array(count)
  const spreads = new Float64Array(count)
  for (let at = 0; at < count; at++) fill(arms[at]!, { at, isNew, means, spreads })
  let wins = 0
  for (let round = 0; round < ROUNDS; round++) {
    let best = -1
    let most = -Infinity
    for (let at = 0; at < count; at++) {
      const worth = means[at]! + spreads[at]! * NORMALS[at * ROUNDS + round]!
      if (worth <= most) continue
      most = worth
      best = at
    }
    if (best === chosen) wins++
  }
  return (wins + 0.5) / (ROUNDS + 0.5 * count)
}

interface Filling {
  readonly at: number
  readonly isNew: boolean
  readonly means: Float64Array
  readonly spreads: Float64Array
}

function fill(arm: Arm, { at, isNew, means, spreads }: Filling): void {
  const worth = Math.log(1 + arm.cpm)
  if (arm.impressions === 0) {
    means[at] = arm.categoryScore * worth
    spreads[at] = (isNew ? NEW_SPREAD : COLD_SPREAD) * worth
    return
  }
  const a = arm.clicks + 1
  const b = Math.max(0, arm.impressions - arm.clicks) + 1
  const mean = a / (a + b)
  means[at] = mean * worth
  spreads[at] = Math.sqrt((mean * (1 - mean)) / (a + b + 1)) * worth
}

/** Inverse normal distribution, to about three digits (Tocher's logistic approximation). */
function normalQuantile(share: number): number {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, share))
  return Math.log(bounded / (1 - bounded)) * Math.sqrt(Math.PI / 8)
}
