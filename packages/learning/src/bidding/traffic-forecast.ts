/** Forecasts the remaining requests at the start of a window, after `seen` requests. */
export interface TrafficForecast {
  left(window: number, seen: number): number
  /** Expected requests up to the start of a window. */
  expectedBy(window: number): number
}

/** Traffic that is known in advance: one request per window. */
export const countedTraffic = (requests: number): TrafficForecast => ({
  left: (window) => Math.max(1, requests - window),
  expectedBy: (window) => window,
})

export interface ForecastSettings {
  /**
   * Prior spread of ln(requests of a day), with the weight of one day of evidence: days of real
   * campaigns differ by about a seventh.
   */
  readonly totalSpread: number
  /** How closely a day follows the shape of past days: pseudo-requests of a Dirichlet prior. */
  readonly shapeWeight: number
}

const FORECAST_DEFAULTS: ForecastSettings = { totalSpread: 0.15, shapeWeight: 10 }

/** Share of a shape that is spread evenly, so that windows without past traffic remain possible. */
const EVEN_SHARE = 0.02

/**
 * Remaining traffic, from past days. Little traffic so far can mean a small day or a late one. The day's
 * total has a log-normal prior from past totals; the share seen so far has a beta prior around the past
 * share. The posterior mean of the total weighs both by their spread.
 */
export function forecastTraffic(
  days: readonly Float64Array[],
  settings = FORECAST_DEFAULTS,
): TrafficForecast {
  const windows = days[0]!.length
  const totals = days.map((day) => day.reduce((sum, requests) => sum + requests, 0))
  const total = totals.reduce((sum, one) => sum + one, 0) / days.length
  const expected = cumulativeMean(days, windows)
  const posterior = { total, spread: totalSpread(totals, settings.totalSpread), settings }
  return {
    expectedBy: (window) => expected[window]!,
    left(window, seen) {
      if (window === 0) return total
      const share = expected[window]! / total
      const past = (1 - EVEN_SHARE) * share + (EVEN_SHARE * window) / windows
      return Math.max(1, meanLeft(posterior, { past, seen }))
    },
  }
}

interface TotalPosterior {
  readonly total: number
  readonly spread: number
  readonly settings: ForecastSettings
}

const CELLS = 60
const REACH = 3.5

function meanLeft(posterior: TotalPosterior, now: { past: number; seen: number }): number {
  const { total, spread, settings } = posterior
  const before = Math.max(settings.shapeWeight * now.past, 1e-3)
  const after = Math.max(settings.shapeWeight * (1 - now.past), 1e-3)
  let best = -Infinity
  const logs = new Float64Array(2 * CELLS + 1).fill(-Infinity)
  for (let cell = 0; cell < logs.length; cell++) {
    const z = (REACH * (cell - CELLS)) / CELLS
    const share = now.seen / (total * Math.exp(spread * z))
    if (share >= 1) continue
    logs[cell] =
      -(z * z) / 2 -
      spread * z +
      (before - 1) * Math.log(Math.max(share, 1e-6)) +
      (after - 1) * Math.log(1 - share)
    best = Math.max(best, logs[cell]!)
  }
  let mass = 0
  let left = 0
  for (let cell = 0; cell < logs.length; cell++) {
    const probability = Math.exp(logs[cell]! - best)
    mass += probability
    const z = (REACH * (cell - CELLS)) / CELLS
    if (probability > 0) left += probability * (total * Math.exp(spread * z) - now.seen)
  }
  return best === -Infinity ? total * (1 - now.past) : left / mass
}

/** Spread of ln total. The prior counts as one more day. */
function totalSpread(totals: readonly number[], prior: number): number {
  const logs = totals.map((one) => Math.log(Math.max(1, one)))
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return Math.sqrt((squares + prior * prior) / (logs.length + 1))
}

function cumulativeMean(days: readonly Float64Array[], windows: number): Float64Array {
  const expected = new Float64Array(windows + 1)
  for (let window = 0; window < windows; window++) {
    const requests = days.reduce((sum, day) => sum + day[window]!, 0) / days.length
    expected[window + 1] = expected[window]! + requests
  }
  return expected
}
