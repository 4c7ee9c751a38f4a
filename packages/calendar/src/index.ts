export {
  addDays,
  addDaysToDate,
  countDays,
  dateOfDay,
  datesBetween,
  DAY_MS,
  DAY_SECONDS,
  dayOfDate,
  dayOfMonth,
  firstDayOfMonth,
  firstDayOfWeek,
  HOUR_MS,
  HOUR_SECONDS,
  lastDayOfMonth,
  MINUTE_MS,
  utcDateOf,
  utcDayOf,
  weekdayOf,
  weekOfDay,
} from './days.ts'
export {
  formatRecurrence,
  needsFirstDay,
  parseRecurrence,
  type ParsedRecurrence,
  type Recurrence,
} from './recurrence.ts'
export {
  compileSchedule,
  judgeSchedule,
  type Schedule,
  type ScheduleText,
  type ScheduleVerdict,
} from './schedule.ts'
export { isZoneName, zoneNames } from './zone-names.ts'
export {
  type LocalDay,
  localDay,
  localDayIn,
  type LocalTime,
  localTime,
  ZoneClock,
  ZoneClocks,
} from './zones.ts'
