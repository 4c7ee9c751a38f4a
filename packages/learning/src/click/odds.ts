const RATE_MIN = 1e-9

/** ln(p / (1 − p)). Rates of 0 and 1 give finite values. */
export function logOdds(rate: number): number {
  const inside = Math.min(1 - RATE_MIN, Math.max(RATE_MIN, rate))
  return Math.log(inside / (1 - inside))
}

export const sigmoid = (margin: number): number => 1 / (1 + Math.exp(-margin))

/** Log loss of a prediction, in nats. */
export function logLoss(rate: number, clicked: boolean): number {
  const inside = Math.min(1 - RATE_MIN, Math.max(RATE_MIN, rate))
  return clicked ? -Math.log(inside) : -Math.log(1 - inside)
}
