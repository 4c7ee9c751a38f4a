import { CronExpressionParser } from 'cron-parser'

const FIELDS = 'must have five fields: minute, hour, day of the month, month, day of the week'
/** The next leap day is at most eight years away: a schedule without a run by then never runs. */
const FROM = new Date('2030-01-01T00:00:00Z')

/** The fault in a five-field cron expression, or undefined. */
export function cronFault(text: string): string | undefined {
  if (text.trim().split(/\s+/).length !== 5) return FIELDS
  try {
    const schedule = CronExpressionParser.parse(text, { tz: 'UTC', currentDate: FROM })
    return comes(schedule) ? undefined : 'names a time that never comes'
  } catch (error) {
    return `is not a cron schedule: ${(error as Error).message}`
  }
}

function comes(schedule: ReturnType<typeof CronExpressionParser.parse>): boolean {
  try {
    schedule.next()
    return true
  } catch {
    return false
  }
}
