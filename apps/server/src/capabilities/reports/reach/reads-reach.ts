import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { daysOfRow, type ReachLevel } from './reach.ts'
import type { ReportRow } from '../reads.ts'
import type { Question } from '../report.ts'
import { estimate, mergeEncoded, newSketch } from './sketch.ts'

const TABLES = {
  advertiser: 'advertisers',
  campaign: 'campaigns',
  site: 'sites',
  placement: 'placements',
} as const

export interface ReachQuery {
  readonly question: Question
  readonly level: ReachLevel
  /** Days by which the rows lie before the time in their keys. */
  readonly daysBack?: number
}

const FETCH = 500

/** The readers of each row. Merges sketches as they are read, so memory holds only the rows. */
export async function countReaders(
  db: Database,
  rows: readonly Pick<ReportRow, 'keys' | 'currency'>[],
  query: ReachQuery,
): Promise<readonly number[]> {
  const sketches = rows.map(() => newSketch())
  if (rows.length === 0) return []
  await db.transaction(async (db) => {
    await db.execute(sql`declare reach no scroll cursor for ${sketchesOf(rows, query)}`)
    for (;;) {
      const { rows: some } = await db.execute(sql.raw(`fetch ${FETCH} from reach`))
      for (const { at, sketch } of some) {
        mergeEncoded(sketches[Number(at) - 1]!, sketch as Buffer)
      }
      if (some.length < FETCH) break
    }
    await db.execute(sql`close reach`)
  })
  return sketches.map((sketch) => estimate(sketch))
}

function sketchesOf(
  rows: readonly Pick<ReportRow, 'keys' | 'currency'>[],
  { question, level, daysBack = 0 }: ReachQuery,
): SQL {
  const keyOf = (entity: string) => (row: Pick<ReportRow, 'keys'>) =>
    row.keys[question.dimensions.indexOf(entity as never)] ?? null
  const days = rows.map(({ keys }) => daysOfRow(question, keys))
  return sql`
    with subjects as (${subjectsOf(question, level)}),
    requested as (
      select *, (first + ${-daysBack}::integer) as first_day, (last + ${-daysBack}::integer) as last_day
        from unnest(${sql.param(rows.map(({ currency }) => currency))}::text[],
                    ${sql.param(rows.map(keyOf(level)))}::bigint[], ${sql.param(rows.map(keyOf('advertiser')))}::bigint[],
                    ${sql.param(days.map(({ from }) => from))}::date[], ${sql.param(days.map(({ to }) => to))}::date[])
             with ordinality as requested (currency, subject_id, advertiser_id, first, last, at)
    )
    select requested.at, s.sketch
      from requested
      join subjects on (requested.subject_id is null or subjects.id = requested.subject_id)
       and (requested.advertiser_id is null or subjects.advertiser_id = requested.advertiser_id)
      join reach_sketches s on s.level = ${level} and s.subject_id = subjects.id and s.currency = requested.currency
       and s.day between requested.first_day and requested.last_day`
}

/** The subjects of the sketches, limited by scope and filters. */
function subjectsOf({ scope, filters }: Question, level: ReachLevel): SQL {
  if (level === 'all') return sql`select 0::bigint as id, null::bigint as advertiser_id`
  const advertiser =
    level === 'campaign' ? sql`advertiser_id` : level === 'advertiser' ? sql`id` : sql`null::bigint`
  const conditions = [
    scope.kind === 'platform' ? sql`true` : sql`account_id = ${`${scope.accountId}`}::bigint`,
    ...Object.entries(filters)
      .filter(([field]) => field !== 'label')
      .map(([field, ids]) => namedBy(field, ids, level)),
  ]
  return sql`select id, ${advertiser} as advertiser_id from ${sql.identifier(TABLES[level])}
              where ${sql.join(conditions, sql` and `)}`
}

function namedBy(field: string, ids: readonly string[], level: ReachLevel): SQL {
  const list = sql.param(ids)
  if (field === `${level}Id`) return sql`public_id = any (${list}::uuid[])`
  return sql`advertiser_id in (select id from advertisers where public_id = any (${list}::uuid[]))`
}
