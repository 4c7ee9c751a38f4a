import type { Row } from '../../../platform/database/row.ts'
import { DAY_SECONDS } from '@placard/calendar'
import { decayed, type RankerScore } from '@placard/learning'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { type FeedCursor, readFeed } from '../../../platform/database/ordered-feed.ts'
import { settledFeed } from '../../tracking/index.ts'
import type { CreativeHour } from '../auction/choice.ts'

export interface ScoresOfCategory {
  readonly site: RankerScore | undefined
  readonly everywhere: RankerScore | undefined
}

export interface ScoresOfSite {
  of(categoryId: string): ScoresOfCategory
  /** Categories with evidence. */
  readonly ids: readonly string[]
  /** All categories together. */
  readonly total: ScoresOfCategory
}

const EVERYWHERE = 0

export async function listScores(
  db: Database,
  { siteId, now }: { readonly siteId: bigint; readonly now: Date },
): Promise<ScoresOfSite> {
  const { rows } = await db.execute<Row<RankerScore & { categoryId: string; siteKey: number }>>(sql`
    select category_id as "categoryId", site_id::float8 as "siteKey", impressions, clicks, revenue,
           extract(epoch from scored_at)::float8 * 1000 as "atMs"
      from ranker_scores where site_id in (${EVERYWHERE}, ${siteId})`)
  const nowMs = now.getTime()
  const tables = new Map(
    [true, false].map((isSite) => [
      isSite,
      new Map(
        rows
          .filter(({ siteKey }) => (siteKey !== EVERYWHERE) === isSite)
          .map((row) => [row.categoryId, row]),
      ),
    ]),
  )
  const pair = (
    scoreIn: (scores: ReadonlyMap<string, RankerScore>) => RankerScore | undefined,
  ) => ({
    site: scoreIn(tables.get(true)!),
    everywhere: scoreIn(tables.get(false)!),
  })
  return {
    ids: [...new Set(rows.map(({ categoryId }) => categoryId))],
    of: (categoryId) => pair((scores) => scores.get(categoryId)),
    total: pair((scores) => totalOf([...scores.values()], nowMs)),
  }
}

/** Several categories together, with evidence faded to now. */
export function totalOf(scores: readonly RankerScore[], nowMs: number): RankerScore | undefined {
  if (scores.length === 0) return undefined
  const total = { impressions: 0, clicks: 0, revenue: 0, atMs: nowMs }
  for (const score of scores) {
    const { impressions, clicks, revenue } = decayed(score, nowMs)
    total.impressions += impressions
    total.clicks += clicks
    total.revenue += revenue
  }
  return total
}

const HALF_LIFE_SECONDS = 7 * DAY_SECONDS
const BATCHES_MAX = 200

/**
 * Adds events settled since the last step to the scores of categories and creatives. Only valid
 * events of pages count. Any number of processes may run it: a cursor lets one add at a time.
 */
export async function addRankerFeedback(db: Database, now: Date): Promise<boolean> {
  return db.transaction(async (db) => {
    const after = await lockCursor(db)
    const page = await readFeed(db, settledFeed, { after, limit: BATCHES_MAX })
    const last = page.places.at(-1)
    if (last === undefined) {
      if (page.state === 'trimmed') await moveCursor(db, page.next)
      return false
    }
    const batches = sql.param(page.rows.map(({ id }) => id))
    const days = sql.param([...new Set(page.rows.flatMap(({ days }) => daysIn(days)))])
    await addMinutes(db, { batches, days })
    await addScores(db, { batches, days, now })
    await moveCursor(db, last)
    return page.state === 'more'
  })
}

const daysIn = (list: string) => list.replaceAll(/[{}]/g, '').split(',').filter(Boolean)

interface Batches {
  readonly batches: ReturnType<typeof sql.param>
  readonly days: ReturnType<typeof sql.param>
}

const happened = ({ batches, days }: Batches, columns: ReturnType<typeof sql>) => sql`
  select ${columns}, 1 as impressions, 0 as clicks from impressions e
   where e.decision_day = any(${days}::date[]) and e.batch_id = any(${batches}::bigint[]) and e.label = 'valid'
  union all
  select ${columns}, 0, 1 from clicks e
   where e.decision_day = any(${days}::date[]) and e.batch_id = any(${batches}::bigint[]) and e.label = 'valid'`

/** A late click counts in its own minute. */
async function addMinutes(db: Database, batches: Batches): Promise<void> {
  const columns = sql`e.banner_id, date_trunc('minute', e.occurred_at) as minute`
  await db.execute(sql`
    insert into creative_minutes (banner_id, minute, impressions, clicks)
    select banner_id, minute, sum(impressions), sum(clicks) from (${happened(batches, columns)}) h
     where banner_id is not null group by 1, 2
    on conflict (minute, banner_id) do update
       set impressions = creative_minutes.impressions + excluded.impressions,
           clicks = creative_minutes.clicks + excluded.clicks`)
}

const faded = (column: string) =>
  sql`ranker_scores.${sql.identifier(column)} * power(0.5, greatest(0, extract(epoch from
    excluded.scored_at - ranker_scores.scored_at)) / ${HALF_LIFE_SECONDS}) + excluded.${sql.identifier(column)}`

/** Existing evidence fades by half per week before new evidence is added. */
async function addScores(db: Database, given: Batches & { now: Date }): Promise<void> {
  const columns = sql`e.site_id, e.page_key, e.charged_millis`
  const at = given.now.toISOString()
  await db.execute(sql`
    with happened as (${happened(given, columns)}), taught as (
      select c.category_id, h.site_id, sum(h.impressions) as impressions, sum(h.clicks) as clicks,
             sum(h.charged_millis) / 1e9 as revenue
        from happened h
        join pages p on p.site_id = h.site_id and p.key = h.page_key
        join page_categories c on c.page_id = p.id
       group by 1, 2
    )
    insert into ranker_scores (category_id, site_id, impressions, clicks, revenue, scored_at)
    select category_id, site_id, impressions, clicks, revenue, ${at}::timestamptz from taught
    union all
    select category_id, ${EVERYWHERE}, sum(impressions), sum(clicks), sum(revenue), ${at}::timestamptz
      from taught group by category_id
    on conflict (category_id, site_id) do update
       set impressions = ${faded('impressions')}, clicks = ${faded('clicks')},
           revenue = ${faded('revenue')}, scored_at = greatest(ranker_scores.scored_at, excluded.scored_at)`)
}

async function lockCursor(db: Database): Promise<FeedCursor> {
  const { rows } = await db.execute<{ xid: string; id: string }>(
    sql`select xid, id from contextual_cursors where source = 'settled' for update`,
  )
  return { xid: BigInt(rows[0]!.xid), id: BigInt(rows[0]!.id) }
}

async function moveCursor(db: Database, { xid, id }: FeedCursor): Promise<void> {
  await db.execute(sql`update contextual_cursors set xid = ${`${xid}`}::xid8, id = ${`${id}`}::bigint
                        where source = 'settled'`)
}

/** The last hour of every creative. */
export async function listHours(
  db: Database,
  now: Date,
): Promise<ReadonlyMap<number, CreativeHour>> {
  const since = new Date(now.getTime() - 3_600_000).toISOString()
  const { rows } = await db.execute<Row<CreativeHour & { bannerKey: number }>>(sql`
    select banner_id::float8 as "bannerKey", sum(impressions)::float8 as impressions,
           sum(clicks)::float8 as clicks
      from creative_minutes where minute > ${since}::timestamptz group by 1`)
  return new Map(rows.map((row) => [row.bannerKey, row]))
}

export async function deleteMinutes(db: Database, before: Date): Promise<void> {
  await db.execute(
    sql`delete from creative_minutes where minute < ${before.toISOString()}::timestamptz`,
  )
}
