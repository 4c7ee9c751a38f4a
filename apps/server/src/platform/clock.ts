/** The clock is passed in everywhere, so that tests can simulate a day in seconds. */
export interface Clock {
  now(): Date
}

/** The machine's clock. Fault tests set an offset to make nodes disagree. */
export const systemClock = (offsetMs = 0): Clock => ({
  now: () => new Date(Date.now() + offsetMs),
})

/** Monotonic time for durations: setting the clock does not affect it. */
export interface Uptime {
  nowMs(): number
}

export const systemUptime: Uptime = { nowMs: () => performance.now() }

let lastMs = NaN
let lastText = ''

/** `toISOString`, cached for the millisecond: many events share one. */
export function timeTextOf(instant: Date): string {
  const ms = instant.getTime()
  if (ms !== lastMs) {
    lastText = instant.toISOString()
    lastMs = ms
  }
  return lastText
}
