import { localDay, ZoneClocks } from '@placard/calendar'

const zones = new ZoneClocks()

/** The budget day of an instant: the date in the advertiser's zone, in days since 1970-01-01. */
export function budgetDayOf(timeZone: string, atMs: number): number {
  const clock = zones.find(timeZone)
  if (!clock) throw new RangeError(`"${timeZone}" is not a time zone`)
  return localDay(clock, atMs).day
}
