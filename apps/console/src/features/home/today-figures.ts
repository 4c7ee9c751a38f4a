/** Today's figures from a report by hours, next to yesterday at the same time. Pure. */

export interface HourRow {
  readonly hour: string
  readonly currency: string
  readonly impressions: number
  readonly clicks: number
  readonly spendMicros: string
  readonly revenueMicros: string
}

export interface Amounts {
  readonly spend: bigint
  readonly revenue: bigint
}

export interface Sums {
  readonly impressions: number
  readonly clicks: number
  /** Amounts of two currencies never add up. */
  readonly money: ReadonlyMap<string, Amounts>
}

export interface TodayFigures {
  readonly today: Sums
  /** Yesterday up to the same minute, the current hour in part. */
  readonly before: Sums
  /** The currency of most of today's impressions, else of yesterday's. */
  readonly currency: string | undefined
}

/** Local time: `2026-06-15T14:20`. */
export type WallTime = string

export function sumDay(rows: readonly HourRow[], now: WallTime, yesterday: string): TodayFigures {
  const today = now.slice(0, 10)
  const hour = now.slice(11, 13)
  const minutes = BigInt(now.slice(14, 16))
  const parts = rows.map((row) => ({ row, share: shareOf(row, { yesterday, hour, minutes }) }))
  return {
    today: sum(
      rows.filter((row) => row.hour.startsWith(today)).map((row) => ({ row, share: 60n })),
    ),
    before: sum(parts.filter(({ share }) => share > 0n)),
    currency: mainCurrency(rows),
  }
}

interface Until {
  readonly yesterday: string
  readonly hour: string
  readonly minutes: bigint
}

/** How many sixtieths of yesterday's hour had passed at this time. */
function shareOf({ hour: at }: HourRow, { yesterday, hour, minutes }: Until): bigint {
  if (!at.startsWith(yesterday)) return 0n
  const that = at.slice(11, 13)
  if (that < hour) return 60n
  return that === hour ? minutes : 0n
}

function sum(parts: readonly { readonly row: HourRow; readonly share: bigint }[]): Sums {
  let impressions = 0
  let clicks = 0
  const money = new Map<string, Amounts>()
  for (const { row, share } of parts) {
    impressions += (row.impressions * Number(share)) / 60
    clicks += (row.clicks * Number(share)) / 60
    const { spend, revenue } = money.get(row.currency) ?? { spend: 0n, revenue: 0n }
    money.set(row.currency, {
      spend: spend + (BigInt(row.spendMicros) * share) / 60n,
      revenue: revenue + (BigInt(row.revenueMicros) * share) / 60n,
    })
  }
  return { impressions: Math.round(impressions), clicks: Math.round(clicks), money }
}

function mainCurrency(rows: readonly HourRow[]): string | undefined {
  const shown = new Map<string, number>()
  for (const { currency, impressions } of rows) {
    shown.set(currency, (shown.get(currency) ?? 0) + impressions)
  }
  return [...shown].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

/** Change as a fraction of the previous value. Undefined without one. */
export function changeOf(now: number | bigint, before: number | bigint): number | undefined {
  if (Number(before) === 0) return undefined
  return Number(now) / Number(before) - 1
}

/** One figure per hour of a day, in one currency. Null for hours to come. */
export function byHour(
  rows: readonly HourRow[],
  {
    day,
    currency,
    until = 23,
  }: { readonly day: string; readonly currency: string; readonly until?: number },
): (number | null)[] {
  const values = new Map(
    rows
      .filter((row) => row.currency === currency && row.hour.startsWith(day))
      .map((row) => [Number(row.hour.slice(11, 13)), Number(row.spendMicros) / 1_000_000]),
  )
  return Array.from({ length: 24 }, (_, hour) => (hour > until ? null : (values.get(hour) ?? 0)))
}
