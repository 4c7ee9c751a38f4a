import type { CapScope, FrequencyWindow } from '@placard/decision-engine'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** 1970-01-01 was a Thursday: three days before it a week began. */
const DAYS_INTO_WEEK = 3

const WINDOWS: readonly FrequencyWindow[] = ['Hour', 'Day', 'Week', 'Month', 'Lifetime']
const SCOPES: readonly CapScope[] = ['ad', 'campaign', 'advertiser']
const WINDOW_NUMBER = { Hour: 0, Day: 1, Week: 2, Month: 3, Lifetime: 4 } as const
const FIRST_OF_SCOPE = { ad: 0, campaign: 5, advertiser: 10 } as const

/** Scope and window as one small number. */
export function kindOf(scope: CapScope, window: FrequencyWindow): number {
  return FIRST_OF_SCOPE[scope] + WINDOW_NUMBER[window]
}

const STAMPS: Readonly<Record<FrequencyWindow, (ms: number) => number>> = {
  Hour: (ms) => Math.floor(ms / HOUR_MS),
  Day: (ms) => Math.floor(ms / DAY_MS),
  Week: (ms) => Math.floor((Math.floor(ms / DAY_MS) + DAYS_INTO_WEEK) / 7),
  Month: (ms) => {
    const date = new Date(ms)
    return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
  },
  Lifetime: () => 0,
}

/** Which hour, day, ISO week or month of the UTC calendar, counted from 1970. */
export const stampOf = (window: FrequencyWindow, ms: number): number => STAMPS[window](ms)

/** The windows of this moment, one stamp per kind, worked out once an hour. */
export class CurrentWindows {
  readonly stamps = new Int32Array(SCOPES.length * WINDOWS.length)
  private hour = -Infinity

  moveTo(nowMs: number): void {
    const hour = stampOf('Hour', nowMs)
    if (hour === this.hour) return
    this.hour = hour
    for (const window of WINDOWS) {
      const stamp = stampOf(window, nowMs)
      for (const scope of SCOPES) this.stamps[kindOf(scope, window)] = stamp
    }
  }
}
