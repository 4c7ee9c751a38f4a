import type { ReportDimension } from '@placard/contract/reports'
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { METRICS, SUM_NAMES, type SumName, type Sums } from './metrics.ts'
import { channelSums } from './reads-channels.ts'
import {
  type ChannelLevel,
  chooseTable,
  chooseTotals,
  levelOf,
  previousPeriod,
  type Question,
  type ReportScope,
  type SumsTable,
} from './report.ts'

export interface ReportRow {
  /** The row's dimension values, as keys in the tables. */
  readonly keys: readonly (string | null)[]
  readonly dimensions: Readonly<Record<string, string | null>>
  readonly currency: string
  readonly sums: Sums
  readonly previous: Sums | undefined
}

const COLUMN_OF: Readonly<Record<SumName, string>> = {
  impressions: 'impressions',
  views: 'views',
  clicks: 'clicks',
  overDelivered: 'over_delivered',
  chargedMillis: 'charged_millis',
  contentViews: 'content_views',
  addToCarts: 'add_to_carts',
  checkouts: 'checkouts',
  purchases: 'purchases',
  revenue: 'revenue',
  videoStarts: 'video_starts',
  firstQuartiles: 'first_quartiles',
  midpoints: 'midpoints',
  thirdQuartiles: 'third_quartiles',
  videoCompletes: 'video_completes',
}

/** Dimensions with a public id and a name. */
const ENTITIES = {
  advertiser: { table: 'advertisers', name: 'name' },
  campaign: { table: 'campaigns', name: 'name' },
  adSet: { table: 'ad_sets', name: 'name' },
  ad: { table: 'ads', name: 'name' },
  banner: { table: 'banners', name: 'title' },
  placement: { table: 'placements', name: 'label' },
  site: { table: 'sites', name: 'name' },
} as const
type Entity = keyof typeof ENTITIES

const isEntity = (dimension: ReportDimension): dimension is Entity => dimension in ENTITIES
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const idColumn = (entity: string) => sql.identifier(`${snake(entity)}_id`)
const place = (at: number) => sql.identifier(`d${at}`)

interface Paging {
  readonly limit: number
  readonly offset: number
}

/** A page of rows in the requested order, with names and with the previous period's figures. */
export async function listReportRows(
  db: Database,
  question: Question,
  { limit, offset, isCompared }: Paging & { isCompared: boolean },
): Promise<ReportRow[]> {
  const paging = { limit, offset }
  const { rows } = await db.execute(rowsQuery(question, { paging, isCompared }))
  return rows.map((row) => rowFrom(row, question, isCompared))
}

interface RowsQuery {
  readonly paging?: Paging
  readonly isCompared?: boolean
}

function rowsQuery(question: Question & Tabled, query: RowsQuery): SQL {
  const { paging, isCompared = false } = query
  const page = paging ? sql`limit ${paging.limit} offset ${paging.offset}` : sql``
  const order = orderOf(question)
  return sql`
    with page as (
      select * from (${summed(question)}) summed order by ${order} ${page}
    )
    select * from page ${sql.join(namesOf(question), sql` `)}
      ${isCompared ? previousOf(question) : sql``}
     order by ${order}`
}

/** Names of the values, under column names of their own, so that sorting cannot confuse them. */
const namesOf = ({ dimensions }: Question): SQL[] =>
  dimensions.flatMap((dimension, at) => {
    if (!isEntity(dimension)) return []
    const { table, name } = ENTITIES[dimension]
    const [key, id, called] = [`key${at}`, `id${at}`, `name${at}`].map((of) => sql.identifier(of))
    return [
      sql`left join (select id as ${key}, public_id as ${id}, ${sql.identifier(name)} as ${called}
            from ${sql.identifier(table)}) ${sql.identifier(`n${at}`)} on ${key} = ${place(at)}`,
    ]
  })

const before = (name: string) => sql.identifier(`previous_${name}`)

function previousOf(question: Question & Tabled): SQL {
  const keys = ['currency', ...question.dimensions.map((_, at) => `d${at}`)]
  const columns = [...keys, ...SUM_NAMES.map((name) => COLUMN_OF[name])].map(
    (name) => sql`${sql.identifier(name)} as ${before(name)}`,
  )
  const same = keys.map((name) => sql`${before(name)} = page.${sql.identifier(name)}`)
  return sql`left join (
      select ${sql.join(columns, sql`, `)} from (${summed(shifted(question))}) earlier
    ) previous on ${sql.join(same, sql` and `)}`
}

/** Sums over the whole report, one row per currency. */
export async function listTotals(
  db: Database,
  question: Question,
  { isCompared }: { isCompared: boolean },
): Promise<ReportRow[]> {
  const whole = { ...question, dimensions: [], sort: [] }
  const { rows } = await db.execute(rowsQuery(wholeOf(whole, question), { isCompared }))
  return rows.map((row) => rowFrom(row, whole, isCompared))
}

const wholeOf = (whole: Question, { dimensions }: Question): Question & Tabled => ({
  ...whole,
  table: chooseTotals({ ...whole, dimensions }),
  level: levelOf({ ...whole, dimensions }),
})

interface Tabled {
  readonly table?: SumsTable
  readonly level?: ChannelLevel
  /** Days by which time is moved forward, so that an earlier period lies on a later one. */
  readonly shiftDays?: number
}

function shifted(question: Question & Tabled): Question & Tabled {
  const { from, to, days } = previousPeriod(question)
  const table = question.table ?? chooseTable(question)
  return { ...question, from, to, table, shiftDays: days }
}

function summed(question: Question & Tabled): SQL {
  const { dimensions, scope, table = chooseTable(question) } = question
  const columns = dimensions.map((dimension, at) =>
    sql.join([dimensionOf(dimension, question, table), sql` as `, place(at)]),
  )
  const needed = new Set<SumName>(question.metrics.flatMap((metric) => METRICS[metric].order))
  const sums = SUM_NAMES.map((name) => {
    const column = sql.identifier(COLUMN_OF[name])
    return needed.has(name) ? sql`sum(${column}) as ${column}` : sql`0 as ${column}`
  })
  return sql`
    select ${sql.join([...columns, sql`currency`, ...sums], sql`, `)}
      from ${table === 'channels' ? channelSums(question, question.level ?? levelOf(question)) : TABLES[table]}
     where ${sql.join([rangeOf(question, table), scopeOf(scope), ...filtersOf(question)], sql` and `)}
     group by ${sql.join([...dimensions.map((_, at) => place(at)), sql`currency`], sql`, `)}`
}

const TABLES: Readonly<Record<Exclude<SumsTable, 'channels'>, SQL>> = {
  advertisers: sql`advertiser_stats`,
  campaigns: sql`campaign_stats`,
  days: sql`stats_cube_day`,
  quarters: sql`stats_cube_quarter`,
}

/** These tables have a plain date. */
const isDated = (table: SumsTable) =>
  table === 'campaigns' || table === 'advertisers' || table === 'channels'

/** The time of a row of sums, by the clock of the zone. */
function localTime({ timeZone, shiftDays = 0 }: Question & Tabled, table: SumsTable): SQL {
  const local = isDated(table) ? sql`day::timestamp` : sql`(bucket at time zone ${timeZone}::text)`
  return shiftDays === 0 ? local : sql`(${local} + make_interval(days => ${shiftDays}::integer))`
}

function dimensionOf(
  dimension: ReportDimension,
  question: Question & Tabled,
  table: SumsTable,
): SQL {
  if (isEntity(dimension)) return sql`${idColumn(dimension)}`
  const isTime = (TIMES as readonly string[]).includes(dimension)
  return isTime ? timeOf(dimension as Time, question, table) : sql`${sql.identifier(dimension)}`
}

const TIMES = ['day', 'hour', 'week', 'month', 'budgetDay'] as const
type Time = (typeof TIMES)[number]

function timeOf(dimension: Time, question: Question & Tabled, table: SumsTable): SQL {
  const { shiftDays = 0 } = question
  if (dimension === 'budgetDay') return sql`(budget_day + ${shiftDays}::integer)`
  // The bare column, so that an index can give the order.
  if (dimension === 'day' && isDated(table) && shiftDays === 0) return sql`day`
  const time = localTime(question, table)
  if (dimension === 'day') return sql`(${time})::date`
  const start = sql`date_trunc(${sql.raw(`'${dimension}'`)}, ${time})`
  return dimension === 'hour' ? start : sql`${start}::date`
}

function rangeOf({ from, to, timeZone }: Question, table: SumsTable): SQL {
  if (isDated(table)) return sql`day between ${from}::date and ${to}::date`
  return sql`bucket >= ${from}::date::timestamp at time zone ${timeZone}::text
    and bucket < (${to}::date + 1)::timestamp at time zone ${timeZone}::text`
}

const OWN = {
  advertiser: { column: sql`advertiser_id`, table: sql`advertisers` },
  publisher: { column: sql`site_id`, table: sql`sites` },
} as const

function scopeOf({ kind, accountId }: ReportScope): SQL {
  if (kind === 'platform') return sql`true`
  const { column, table } = OWN[kind]
  return sql`${column} = any (array(
    select id from ${table} where account_id = ${accountId.toString()}::bigint))`
}

const filtersOf = ({ filters }: Question): SQL[] =>
  Object.entries(filters).map(([field, values]) => {
    const entity = field.replace(/Id$/, '') as Entity
    const list = sql.param(values)
    if (!(entity in ENTITIES)) {
      // A plain comparison for one value, so that an index can give the order.
      return values.length === 1
        ? sql`${sql.identifier(field)} = ${values[0]}::text`
        : sql`${sql.identifier(field)} = any (${list}::text[])`
    }
    return sql`${idColumn(entity)} = any (array(
      select id from ${sql.identifier(ENTITIES[entity].table)} where public_id = any (${list}::uuid[])))`
  })

/** The requested order, then the dimensions, so that pages never overlap. */
function orderOf({ dimensions, sort }: Question): SQL {
  const requested = sort.map(({ by, direction }) => {
    const at = dimensions.indexOf(by as ReportDimension)
    const value = at === -1 ? metricOrder(by as keyof typeof METRICS) : sql`${place(at)}`
    return direction === 'desc' ? sql`${value} desc` : value
  })
  const rest = dimensions.map((_, at) => sql`${place(at)}`)
  return sql.join([...requested, ...rest, sql`currency`], sql`, `)
}

function metricOrder(metric: keyof typeof METRICS): SQL {
  const [part, whole] = METRICS[metric].order
  if (!part) return sql`null`
  const column = sql.identifier(COLUMN_OF[part])
  if (!whole) return sql`${column}`
  return sql`coalesce(${column}::numeric / nullif(${sql.identifier(COLUMN_OF[whole])}, 0), 0)`
}

function rowFrom(
  row: Record<string, unknown>,
  { dimensions }: Question,
  isCompared: boolean,
): ReportRow {
  return {
    keys: dimensions.map((_, at) => (row[`d${at}`] as string | null | undefined) ?? null),
    dimensions: Object.fromEntries(
      dimensions.flatMap((dimension, at) => shownAs(row, dimension, at)),
    ),
    currency: row['currency'] as string,
    sums: sumsFrom(row, ''),
    previous:
      isCompared && row['previous_currency'] != null ? sumsFrom(row, 'previous_') : undefined,
  }
}

function shownAs(row: Record<string, unknown>, dimension: ReportDimension, at: number) {
  if (isEntity(dimension)) {
    return [
      [`${dimension}Id`, row[`id${at}`] ?? null],
      [`${dimension}Name`, row[`name${at}`] ?? null],
    ]
  }
  const text = String(row[`d${at}`])
  return [[dimension, dimension === 'hour' ? text.slice(0, 16).replace(' ', 'T') : text || null]]
}

const sumsFrom = (row: Record<string, unknown>, prefix: string): Sums =>
  Object.fromEntries(
    SUM_NAMES.map((name) => [name, BigInt((row[`${prefix}${COLUMN_OF[name]}`] as string) ?? 0)]),
  ) as unknown as Sums

const FETCH = 500

/** All rows, page by page: a report of any length needs the memory of one page. */
export async function forEachReportRow(
  db: Database,
  { question, rowsMax, isCompared }: { question: Question; rowsMax: number; isCompared: boolean },
  take: (rows: readonly ReportRow[], db: Database) => Promise<void>,
): Promise<void> {
  await db.transaction(async (db) => {
    const query = rowsQuery(question, { paging: { limit: rowsMax, offset: 0 }, isCompared })
    await db.execute(sql`declare report no scroll cursor for ${query}`)
    for (;;) {
      const { rows } = await db.execute(sql.raw(`fetch ${FETCH} from report`))
      if (rows.length === 0) return
      await take(
        rows.map((row) => rowFrom(row, question, isCompared)),
        db,
      )
    }
  })
}
