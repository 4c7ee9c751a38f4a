import { daysAfter, daysFrom, type Level, LEVELS } from '../providers/stat.ts'

/** One request of a backfill: one level, over a part of the range. */
export interface BackfillStep {
  readonly level: Level
  readonly from: string
  readonly to: string
  /** Days of the range that are done on every level after this step. */
  readonly daysDone: number
}

/**
 * Short ranges go day by day, to show progress. Long ones go by 30 days, which Meta answers as one
 * report.
 */
const SHORT_DAYS = 7
const PART_DAYS = 30

export function backfillSteps(from: string, to: string): readonly BackfillStep[] {
  const total = daysFrom(from, to).length
  const length = total <= SHORT_DAYS ? 1 : PART_DAYS
  const parts = Array.from({ length: Math.ceil(total / length) }, (_, part) => part * length)
  return parts.flatMap((before) => {
    const after = Math.min(before + length, total)
    return LEVELS.map((level, at) => ({
      level,
      from: daysAfter(from, before),
      to: daysAfter(from, after - 1),
      daysDone: at === LEVELS.length - 1 ? after : before,
    }))
  })
}
