import { compileSchedule, DAY_MS, judgeSchedule, type ZoneClock } from '@placard/calendar'
import type { Schedule } from './banner.ts'

export interface CalendarDay {
  readonly day: string
  readonly openShare: number
}

const STEP_MS = 1_800_000
const DAY_MS_MAX = 90_000_000

/** The part of each day on which a banner shows, judged every half hour as a decision judges it. */
export function calendarOf(
  schedule: Schedule,
  {
    from,
    days,
    clock,
  }: { readonly from: string; readonly days: number; readonly clock: ZoneClock },
): CalendarDay[] {
  const firstDay = Date.parse(from) / DAY_MS
  const isOpenAt = judgeOf(schedule, clock)
  const steps = Array.from({ length: days }, () => ({ open: 0, all: 0 }))
  // The middle of each half hour stands for all of it.
  const begin = Date.parse(from) - DAY_MS_MAX + STEP_MS / 2
  for (let at = begin; at < begin + (days + 2) * DAY_MS_MAX; at += STEP_MS) {
    const counted = steps[Math.floor(clock.localMs(at) / DAY_MS) - firstDay]
    if (counted === undefined) continue
    counted.all++
    if (isOpenAt(at)) counted.open++
  }
  return steps.map(({ open, all }, place) => ({
    day: new Date((firstDay + place) * DAY_MS).toISOString().slice(0, 10),
    openShare: Math.round((open / all) * 1_000) / 1_000,
  }))
}

function judgeOf(schedule: Schedule, clock: ZoneClock): (at: number) => boolean {
  const from = schedule.publishAt?.getTime() ?? -Infinity
  const until = schedule.expiresAt?.getTime() ?? Infinity
  const repeats = compileSchedule(
    {
      recurrenceRule: schedule.recurrenceRule ?? undefined,
      windowStart: schedule.recurrenceWindowStart ?? undefined,
      windowEnd: schedule.recurrenceWindowEnd ?? undefined,
      publishAtMs: schedule.publishAt?.getTime(),
    },
    clock,
  )
  if (repeats === 'never') return () => false
  const isBetween = (at: number) => at >= from && at < until
  if (repeats === 'always') return isBetween
  return (at) => isBetween(at) && judgeSchedule(repeats, at) === 'open'
}
