import { CronExpressionParser } from 'cron-parser'

const FIELDS = 'must have five fields: minute, hour, day of the month, month, day of the week'
/** From here a leap day is at most eight years away: what does not come by then never comes. */
const FROM = new Date('2030-01-01T00:00:00Z')

/** What is wrong with a schedule in cron's five fields; undefined when nothing is. */
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
