import { NO_CURRENCY } from '@placard/money'
import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { readFeed } from '../../../platform/database/ordered-feed.ts'
import { settledFeed } from '../../tracking/index.ts'
import { REACH_LEVELS, type ReachLevel } from './reach.ts'
import { batchesWhere, settledOn } from '../cube/reads-events.ts'
import { addMark, encodeSketch, markOf, mergeEncoded, newSketch, type Sketch } from './sketch.ts'
import { countToTake, lockCursor, moveCursor } from '../cube/store-cursors.ts'

const BATCHES_MAX = 1_000
const EVENTS_PER_STEP = 100_000

/** Counts the readers of what was settled since the last step. True if there is more. */
export async function addReaders(db: Database): Promise<{ hasMore: boolean }> {
  return db.transaction(async (db) => {
    const after = await lockCursor(db, 'reach')
    const page = await readFeed(db, settledFeed, { after, limit: BATCHES_MAX })
    const taken = countToTake(page.rows, EVENTS_PER_STEP)
    if (taken === 0) return { hasMore: false }
    const seen = await readSeen(db, batchesWhere(page.rows.slice(0, taken)))
    await saveSketches(db, seen)
    await moveCursor(db, 'reach', page.places[taken - 1]!)
    return { hasMore: taken < page.rows.length || page.state === 'more' }
  })
}

/** Recounts a UTC day from its events, because no reader can be removed from a sketch. */
export async function rebuildReaders(db: Database, day: string): Promise<void> {
  await db.transaction(async (db) => {
    await db.execute(sql`set local statement_timeout = '30min'`)
    const cursor = await lockCursor(db, 'reach')
    const seen = await readSeen(db, settledOn(day, cursor))
    await db.execute(sql`delete from reach_sketches where day = ${day}::date`)
    await saveSketches(db, seen)
  })
}

interface Seen {
  readonly level: ReachLevel
  readonly subject: string
  readonly currency: string
  readonly day: string
  readonly sketch: Sketch
}

const FETCH = 5_000

/** Sketches of valid impressions with a user key, at every level. */
async function readSeen(db: Database, where: SQL): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>()
  await db.execute(sql`
    declare readers no scroll cursor for
    select (e.occurred_at at time zone 'UTC')::date::text as day, coalesce(a.currency, ${NO_CURRENCY}) as currency,
           e.advertiser_id, e.campaign_id, e.site_id, e.placement_id, e.user_key
      from impressions e left join advertisers a on a.id = e.advertiser_id
     where e.label = 'valid' and e.user_key is not null and ${where}`)
  for (;;) {
    const { rows } = await db.execute(sql.raw(`fetch ${FETCH} from readers`))
    for (const row of rows) addReader(seen, row)
    if (rows.length < FETCH) break
  }
  await db.execute(sql`close readers`)
  return seen
}

function addReader(seen: Map<string, Seen>, row: Record<string, unknown>): void {
  const mark = markOf(row['user_key'] as string)
  const day = row['day'] as string
  const currency = row['currency'] as string
  for (const level of REACH_LEVELS) {
    const subject = level === 'all' ? '0' : (row[`${level}_id`] as string | null)
    if (subject === null) continue
    const name = `${level} ${subject} ${currency} ${day}`
    let found = seen.get(name)
    if (!found) {
      found = { level, subject, currency, day, sketch: newSketch() }
      seen.set(name, found)
    }
    addMark(found.sketch, mark)
  }
}

const SAVED_AT_ONCE = 500

async function saveSketches(db: Database, seen: ReadonlyMap<string, Seen>): Promise<void> {
  const all = [...seen.values()]
  for (let at = 0; at < all.length; at += SAVED_AT_ONCE) {
    await saveSome(db, all.slice(at, at + SAVED_AT_ONCE))
  }
}

/** Merges with the stored sketches. The cursor's lock excludes all others. */
async function saveSome(db: Database, some: readonly Seen[]): Promise<void> {
  const keys = sql`${sql.param(some.map(({ level }) => level))}::text[],
    ${sql.param(some.map(({ subject }) => subject))}::bigint[],
    ${sql.param(some.map(({ currency }) => currency))}::text[], ${sql.param(some.map(({ day }) => day))}::date[]`
  const { rows } = await db.execute(sql`
    select requested.at, s.sketch
      from unnest(${keys}) with ordinality as requested (level, subject_id, currency, day, at)
      join reach_sketches s using (level, subject_id, currency, day)`)
  for (const { at, sketch } of rows) mergeEncoded(some[Number(at) - 1]!.sketch, sketch as Buffer)
  const sketches = some.map(({ sketch }) => encodeSketch(sketch).toString('hex'))
  await db.execute(sql`
    insert into reach_sketches (level, subject_id, currency, day, sketch)
    select level, subject_id, currency, day, decode(hex, 'hex')
      from unnest(${keys}, ${sql.param(sketches)}::text[]) as seen (level, subject_id, currency, day, hex)
    on conflict (level, subject_id, currency, day) do update set sketch = excluded.sketch`)
}
