import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { CapScope, FrequencyWindow } from '@placard/decision-engine'

/** 1970-01-01 was a Thursday, so its week began three days earlier. */
const DAYS_INTO_WEEK = 3

const WINDOWS: readonly FrequencyWindow[] = ['Hour', 'Day', 'Week', 'Month', 'Lifetime']
const SCOPES: readonly CapScope[] = ['ad', 'campaign', 'advertiser']

/** Scope and window as one small number. Here comparing is faster than a lookup by name. */
export function kindOf(scope: CapScope, window: FrequencyWindow): number {
  return numberOf(scope) * WINDOWS.length + numberOfWindow(window)
}

function numberOf(scope: CapScope): number {
  if (scope === 'ad') return 0
  return scope === 'campaign' ? 1 : 2
}

function numberOfWindow(window: FrequencyWindow): number {
  if (window === 'Day') return 1
  if (window === 'Hour') return 0
  if (window === 'Week') return 2
  return window === 'Month' ? 3 : 4
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

/** Number of the UTC hour, day, ISO week or month, counted from 1970. */
export const stampOf = (window: FrequencyWindow, ms: number): number => STAMPS[window](ms)

/** Stamps of the current windows, one per kind, computed once an hour. */
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
