/**
 * Days in three forms. A *day* is a number: days since 1970-01-01. A *date* is text: `2026-06-15`.
 * An instant is milliseconds since 1970 or a `Date`.
 */

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 24 * HOUR_SECONDS

/** The UTC day of an instant. */
export const utcDayOf = (atMs: number): number => Math.floor(atMs / DAY_MS)

/** The UTC date of an instant. */
export const utcDateOf = (instant: Date | number): string =>
  new Date(instant).toISOString().slice(0, 10)

/** `20619` → `2026-06-15`. */
export const dateOfDay = (day: number): string => utcDateOf(day * DAY_MS)

/** `2026-06-15` → `20619`. */
export const dayOfDate = (date: string): number => Date.parse(date) / DAY_MS

/** The instant a number of 24-hour days later, or earlier when negative. */
export const addDays = (instant: Date, days: number): Date =>
  new Date(instant.getTime() + days * DAY_MS)

export const addDaysToDate = (date: string, days: number): string =>
  dateOfDay(dayOfDate(date) + days)

/** How many days a period has, first and last included; zero or less when it is reversed. */
export const countDays = (from: string, to: string): number => dayOfDate(to) - dayOfDate(from) + 1

/** Every date of a period, first and last included. */
export const datesBetween = (from: string, to: string): readonly string[] =>
  Array.from({ length: Math.max(0, countDays(from, to)) }, (_, i) => addDaysToDate(from, i))

/** 0 is Sunday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/** Weeks since 1970, each beginning on Monday, as ISO 8601 and RFC 5545 count them. */
export const weekOfDay = (day: number): number => Math.floor((day + 3) / 7)

/** The first day of a week that `weekOfDay` counted. */
export const firstDayOfWeek = (week: number): number => week * 7 - 3

/** 1 to 31. */
export const dayOfMonth = (day: number): number => new Date(day * DAY_MS).getUTCDate()

export const firstDayOfMonth = (day: number): number => day - dayOfMonth(day) + 1

export function lastDayOfMonth(day: number): number {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / DAY_MS
}
