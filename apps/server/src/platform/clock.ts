/** Where time comes from. Passed in everywhere, so that a day can be simulated in seconds. */
export interface Clock {
  now(): Date
}

/** The machine's clock, shifted by an offset that fault tests use to make nodes disagree. */
export const systemClock = (offsetMs = 0): Clock => ({
  now: () => new Date(Date.now() + offsetMs),
})

/** Time that only goes forward, whatever a clock is set to: how long something has lasted. */
export interface Uptime {
  nowMs(): number
}

export const systemUptime: Uptime = { nowMs: () => performance.now() }

let lastMs = NaN
let lastText = ''

/** `toISOString`; many things happen in one millisecond, and its text is made once. */
export function timeTextOf(instant: Date): string {
  const ms = instant.getTime()
  if (ms !== lastMs) {
    lastText = instant.toISOString()
    lastMs = ms
  }
  return lastText
}
