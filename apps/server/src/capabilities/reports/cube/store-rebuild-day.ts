import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import {
  columnsOf,
  convertedOn,
  convertedRows,
  DECISION_DAYS,
  DELIVERY_COLUMNS,
  occurredOn,
  KEY_COLUMNS,
  looseQuarters,
  QUARTER,
  settledOn,
  settledRows,
  SUM_COLUMNS,
  sumsOf,
} from './reads-events.ts'
import { lockCursor } from './store-cursors.ts'

/**
 * Longer than for ordinary statements: a day can have many millions of events, and sorting them for
 * a join is slow.
 */
const REBUILD_TIME = '30min'
const REBUILD_MEMORY = '128MB'

/**
 * Rebuilds a UTC day from its events, as if it had never been added up. Settlement of that day
 * waits meanwhile. Events that are settled but not yet added are left for the next step.
 */
export async function rebuildDay(db: Database, day: string): Promise<void> {
  await db.transaction(async (db) => {
    await db.execute(
      sql.raw(
        `set local statement_timeout = '${REBUILD_TIME}'; set local work_mem = '${REBUILD_MEMORY}';
         set local enable_mergejoin = off`,
      ),
    )
    const settled = settledRows(settledOn(day, await lockCursor(db, 'tracking')))
    const events = convertedOn(day, await lockCursor(db, 'conversions'))
    await db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`placard-stats ${day}`}, 0))`,
    )
    const converted = (await hasConverted(db, events)) ? convertedRows(events) : undefined
    const loose = looseQuarters({ settled, ...(converted && { converted }) })
    await repair(db, quartersOf(day, loose))
    for (const partOf of FOLLOWING) await repair(db, partOf(day))
    await db.execute(sql`delete from stats_rebuilds where day = ${day}::date`)
  })
}

/** Most days have few conversions and many have none, which leaves less to add up. */
async function hasConverted(db: Database, where: SQL): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from conversions c where ${where} limit 1`)
  return rows.length > 0
}

/** One table's rows of a day, and the rows they should add up from. */
interface Part {
  readonly table: string
  readonly constants?: Readonly<Record<string, string>>
  /** The first key is the time. Tables are compared and repaired time by time. */
  readonly keys: readonly string[]
  readonly sums: readonly string[]
  /** Rows with these keys and sums, not added up yet. */
  readonly loose: SQL
  /** The rows that the correct ones replace. */
  readonly where: SQL
}

const CUBE_KEYS = ['bucket', ...KEY_COLUMNS]

const quartersOf = (day: string, loose: SQL): Part => ({
  table: 'stats_cube_quarter',
  constants: { grain: 'quarter' },
  keys: CUBE_KEYS,
  sums: SUM_COLUMNS,
  loose,
  where: occurredOn(day, sql`bucket`),
})

/** Days add up from quarter-hours, which are correct by then. */
const daysOf = (day: string): Part => ({
  table: 'stats_cube_day',
  constants: { grain: 'day' },
  keys: CUBE_KEYS,
  sums: SUM_COLUMNS,
  loose: sql`select date_trunc('day', bucket, 'UTC') as bucket, ${columnsOf([...KEY_COLUMNS, ...SUM_COLUMNS])}
               from stats_cube_quarter where ${occurredOn(day, sql`bucket`)}`,
  where: occurredOn(day, sql`bucket`),
})

const CAMPAIGN_KEYS = ['label', 'campaign_id', 'advertiser_id', 'currency']

const campaignsOf = (day: string): Part => ({
  table: 'campaign_stats',
  keys: ['day', ...CAMPAIGN_KEYS],
  sums: SUM_COLUMNS,
  loose: sql`select ${day}::date as day, ${columnsOf([...CAMPAIGN_KEYS, ...SUM_COLUMNS])}
               from stats_cube_day where ${occurredOn(day, sql`bucket`)}`,
  where: sql`day = ${day}::date`,
})

const ADVERTISER_KEYS = ['label', 'advertiser_id', 'currency']

const advertisersOf = (day: string): Part => ({
  table: 'advertiser_stats',
  keys: ['day', ...ADVERTISER_KEYS],
  sums: SUM_COLUMNS,
  loose: sql`select day, ${columnsOf([...ADVERTISER_KEYS, ...SUM_COLUMNS])} from campaign_stats where day = ${day}::date`,
  where: sql`day = ${day}::date`,
})

/** Duplicates are counted on arrival and stored nowhere, so their sums stay as they are. */
function deliveryOf(day: string): Part {
  const rows = (table: string, counts: string) => sql`
    select ${QUARTER(sql`e.occurred_at`)} as bucket,
           case when e.ad_id is not null then 'ad'
                when e.assignment_id is not null then 'assignment' else 'banner' end as source,
           coalesce(e.ad_id, e.assignment_id, e.banner_id, 0) as winner_id,
           coalesce(e.placement_id, 0) as placement_id, e.label, ${sql.raw(counts)},
           (e.billing = 'over-delivery')::integer as over_delivered, e.charged_millis
      from ${sql.identifier(table)} e
     where e.decision_day between ${day}::date - ${DECISION_DAYS}::integer and ${day}::date + 1
       and ${occurredOn(day, sql`e.occurred_at`)}`
  return {
    table: 'delivery_stats',
    keys: ['bucket', 'source', 'winner_id', 'placement_id', 'label'],
    sums: DELIVERY_COLUMNS,
    loose: sql`${rows('impressions', '1 as impressions, 0 as views, 0 as clicks')}
               union all ${rows('views', '0, 1, 0')} union all ${rows('clicks', '0, 0, 1')}`,
    where: sql`${occurredOn(day, sql`bucket`)} and label <> 'duplicate'`,
  }
}

const progressOf = (day: string): Part => ({
  table: 'progress_stats',
  keys: ['bucket', 'campaign_id', 'banner_id', 'name', 'label'],
  sums: ['events'],
  loose: sql`
    select ${QUARTER(sql`e.occurred_at`)} as bucket, coalesce(e.campaign_id, 0) as campaign_id,
           coalesce(e.banner_id, 0) as banner_id, e.name, e.label, 1 as events
      from progress_events e
     where e.decision_day between ${day}::date - ${DECISION_DAYS}::integer and ${day}::date + 1
       and ${occurredOn(day, sql`e.occurred_at`)}`,
  where: occurredOn(day, sql`bucket`),
})

/** Each table adds up from an earlier one, or from the events. */
const FOLLOWING = [daysOf, campaignsOf, advertisersOf, deliveryOf, progressOf] as const

/** Corrects rows that differ. */
async function repair(db: Database, part: Part): Promise<void> {
  const wrong = await findWrong(db, part)
  if (wrong.length > 0) await correct(db, part, wrong)
}

/**
 * The times at which a table differs from the events. Compares fingerprints: the sum of a hash of
 * the keys times each number. It is the same however rows are added up, so nothing must be added up
 * to compare.
 */
async function findWrong(db: Database, part: Part): Promise<readonly string[]> {
  const { table, keys, sums, loose, where } = part
  const kept = sql`select ${columnsOf([...keys, ...sums])} from ${sql.identifier(table)} where ${where}`
  const { rows } = await db.execute<{ at: string }>(sql`
    select at::text as at from (${printsOf(part, loose)}) r full join (${printsOf(part, kept)}) k using (at)
     where (r.print) is distinct from (k.print)`)
  return rows.map(({ at }) => at)
}

function printsOf({ keys, sums }: Part, rows: SQL): SQL {
  const prints = sums
    .slice(0, COUNTS)
    .flatMap((sum) => HASHES.map((hash) => `sum(${hash} * ${sum})`))
  const money = sums[COUNTS]
  if (money !== undefined) prints.push(`sum(${HASHES[0]} * ${money}::numeric)`)
  const rare = sums.slice(COUNTS + 1)
  if (rare.length > 0) {
    const all = rare.map((sum, at) => `${sum} * 1e${at * DIGITS_APART}::numeric`).join(' + ')
    const none = rare.map((sum) => `${sum} = 0`).join(' and ')
    prints.push(`sum(case when ${none} then 0 else ${HASHES[0]} * (${all}) end)`)
  }
  return sql`
    select ${sql.raw(keys[0]!)} as at, row(${sql.raw(prints.join(', '))}) as print
      from (select *, hash_record_extended(row(${columnsOf(keys)}), 0) as hash from (${rows}) loose) hashed
     group by 1`
}

/** The first sums are counts, then money, then sums that most rows lack. */
const COUNTS = DELIVERY_COLUMNS.length - 1
/** Two numbers of 31 bits: multiplied by a count, they fit a bigint. */
const HASHES = ['(hash & 2147483647)', '((hash >> 32) & 2147483647)'] as const
/** Packs several numbers into one, far enough apart. */
const DIGITS_APART = 25

/** Leaves correct rows untouched. */
async function correct(db: Database, part: Part, times: readonly string[]): Promise<void> {
  const { table, constants = {}, keys, sums, loose, where } = part
  const name = sql.identifier(table)
  const when = columnsOf([keys[0]!])
  const type = sql.raw(keys[0] === 'day' ? 'date' : 'timestamptz')
  const isWrong = sql`${when} = any (${sql.param(times)}::${type}[])`
  const of = (alias: string) => sql.raw(sums.map((sum) => `${alias}.${sum}`).join(', '))
  await db.execute(sql`
    create temporary table wrong on commit drop as
    select ${columnsOf(keys)}, ${of('r')}, r.${columnsOf([sums[0]!])} is not null as is_right
      from (select ${columnsOf(keys)}, ${sumsOf(sums)} from (${loose}) loose where ${isWrong}
             group by ${columnsOf(keys)}) r
      full join (select ${columnsOf([...keys, ...sums])} from ${name} where ${where} and ${isWrong}) k
     using (${columnsOf(keys)})
     where (${of('r')}) is distinct from (${of('k')})`)
  const isSame = sql.raw(keys.map((key) => `t.${key} = wrong.${key}`).join(' and '))
  await db.execute(sql`delete from ${name} t using wrong where ${isSame}`)
  const extra = Object.entries(constants)
  await db.execute(sql`
    insert into ${name} (${columnsOf([...extra.map(([column]) => column), ...keys, ...sums])})
    select ${sql.raw(extra.map(([, value]) => `'${value}', `).join(''))}${columnsOf([...keys, ...sums])}
      from wrong where is_right`)
  await db.execute(sql`drop table wrong`)
}
