import { DAY_MS, HOUR_MS, MINUTE_MS } from '@placard/calendar'

/** Maximum number of events of one kind within 10 s, a minute, an hour and a day. */
export type Limits = readonly [tenSeconds: number, minute: number, hour: number, day: number]

export const WINDOWS_MS = [10_000, MINUTE_MS, HOUR_MS, DAY_MS] as const

/** Four numbers separated by commas, as in a setting. */
export const parseLimits = (text: string): Limits => {
  const [tenSeconds = 0, minute = 0, hour = 0, day = 0] = text.split(',').map(Number)
  return [tenSeconds, minute, hour, day]
}

/** A film that is played to its end tells of so many steps. */
const STEPS = 12

/** One showing of a film sends many events. */
export const stepsOf = (limits: Limits): Limits => {
  const [tenSeconds, minute, hour, day] = limits
  return [tenSeconds * STEPS, minute * STEPS, hour * STEPS, day * STEPS]
}

const CLICK_SHARE = 0.2
const CLICKS_MIN = 3

const few = (count: number) => Math.max(CLICKS_MIN, Math.floor(count * CLICK_SHARE))

/** People click less than they see. */
export const clicksOf = (limits: Limits): Limits => {
  const [tenSeconds, minute, hour, day] = limits
  return [few(tenSeconds), few(minute), few(hour), few(day)]
}
