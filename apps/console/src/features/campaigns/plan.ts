/** Spend of a day against its plan, hour by hour. Pure. */

export interface HourOfSpend {
  readonly hour: string
  readonly impressions: number
  readonly clicks: number
  readonly spendMicros: string
}

const HOURS = 24
const PER_UNIT = 1_000_000

const hourOf = ({ hour }: HourOfSpend) => Number(hour.slice(11, 13))

/** One value per hour of the day. Null for hours to come. */
export function ofHours(
  rows: readonly HourOfSpend[],
  until: number,
  valueOf: (row: HourOfSpend) => number,
): (number | null)[] {
  const values = new Map(rows.map((row) => [hourOf(row), valueOf(row)]))
  return Array.from({ length: HOURS }, (_, hour) => (hour > until ? null : (values.get(hour) ?? 0)))
}

/** Spend by the end of each hour, in units of the currency. */
export function spentByHour(rows: readonly HourOfSpend[], until: number): (number | null)[] {
  let total = 0n
  const spent = new Map(rows.map((row) => [hourOf(row), BigInt(row.spendMicros)]))
  return Array.from({ length: HOURS }, (_, hour) => {
    total += spent.get(hour) ?? 0n
    return hour > until ? null : Number(total) / PER_UNIT
  })
}

/** Spend of an even day by the end of each hour. */
export const plannedByHour = (dailyMicros: string): number[] =>
  Array.from(
    { length: HOURS },
    (_, hour) => (Number(dailyMicros) / PER_UNIT) * ((hour + 1) / HOURS),
  )
