import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { readFeed } from '../../../platform/database/ordered-feed.ts'
import { settledFeed } from '../../tracking/index.ts'
import {
  ADDED,
  batchesWhere,
  COLUMNS,
  conversionPlaces,
  convertedRows,
  KEYS,
  quartersOf,
  settledRows,
  SUMS,
} from './reads-events.ts'
import { requestRebuild } from './store-rebuilds.ts'
import { countToTake, lockCursor, moveCursor } from './store-cursors.ts'

const BATCHES_MAX = 400
const EVENTS_PER_STEP = 50_000
const CONVERSIONS_PER_STEP = 5_000

/**
 * Adds what was settled since the last step. Returns the number of events, and whether there is
 * more.
 */
export async function addSettled(
  db: Database,
  now: Date,
): Promise<{ events: number; hasMore: boolean }> {
  return db.transaction(async (db) => {
    const after = await lockCursor(db, 'tracking')
    const page = await readFeed(db, settledFeed, { after, limit: BATCHES_MAX })
    const taken = countToTake(page.rows, EVENTS_PER_STEP)
    if (taken === 0) return { events: 0, hasMore: false }
    const batches = page.rows.slice(0, taken)
    await addToSums(db, quartersOf({ settled: settledRows(batchesWhere(batches)) }))
    await moveCursor(db, 'tracking', page.places[taken - 1]!)
    for (const day of batches.flatMap(({ paidDays }) => daysIn(paidDays))) {
      await requestRebuild(db, day, now)
    }
    const events = batches.reduce((sum, { rows }) => sum + rows, 0)
    return { events, hasMore: taken < page.rows.length || page.state === 'more' }
  })
}

const daysIn = (list: string) => list.replaceAll(/[{}]/g, '').split(',').filter(Boolean)

/** The same for conversions. */
export async function addConverted(db: Database): Promise<{ events: number; hasMore: boolean }> {
  return db.transaction(async (db) => {
    const after = await lockCursor(db, 'conversions')
    const query = { after, limit: CONVERSIONS_PER_STEP }
    const page = await readFeed(db, conversionPlaces, query)
    const last = page.places.at(-1)
    if (!last) return { events: 0, hasMore: false }
    const { xid, id } = after
    const converted = convertedRows(sql`(c.xid, c.id) > (${`${xid}`}::xid8, ${`${id}`}::bigint)
      and (c.xid, c.id) <= (${`${last.xid}`}::xid8, ${`${last.id}`}::bigint)`)
    await addToSums(db, quartersOf({ converted }))
    await moveCursor(db, 'conversions', last)
    return { events: page.rows.length, hasMore: page.state === 'more' }
  })
}

/**
 * Adds to all sums: first to quarter-hours, then from those to the others, so that events are read
 * once.
 */
async function addToSums(db: Database, quarters: SQL): Promise<void> {
  await db.execute(sql`
    with quarters as materialized (
      ${quarters}
    ), days as materialized (
      select date_trunc('day', bucket, 'UTC') as bucket, ${KEYS}, ${SUMS} from quarters
       group by 1, ${KEYS}
    ), quarters_added as (
      insert into stats_cube as kept (grain, bucket, ${KEYS}, ${COLUMNS})
      select 'quarter', bucket, ${KEYS}, ${COLUMNS} from quarters
      on conflict (grain, bucket, ${KEYS}) do update set ${ADDED}
    ), days_added as (
      insert into stats_cube as kept (grain, bucket, ${KEYS}, ${COLUMNS})
      select 'day', bucket, ${KEYS}, ${COLUMNS} from days
      on conflict (grain, bucket, ${KEYS}) do update set ${ADDED}
    ), campaigns as materialized (
      select label, (bucket at time zone 'UTC')::date as day, campaign_id, advertiser_id, currency, ${SUMS}
        from days group by 1, 2, 3, 4, 5
    ), campaigns_added as (
      insert into campaign_stats as kept (label, day, campaign_id, advertiser_id, currency, ${COLUMNS})
      select label, day, campaign_id, advertiser_id, currency, ${COLUMNS} from campaigns
      on conflict (label, day, campaign_id, advertiser_id, currency) do update set ${ADDED}
    )
    insert into advertiser_stats as kept (label, day, advertiser_id, currency, ${COLUMNS})
    select label, day, advertiser_id, currency, ${SUMS} from campaigns group by 1, 2, 3, 4
    on conflict (label, day, advertiser_id, currency) do update set ${ADDED}`)
}
