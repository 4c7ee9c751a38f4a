import type { Pool } from 'pg'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import { dayOf, REMEMBERED_DAYS, type VisitRow } from './visits.ts'

/** Keeps the earliest first visit and the latest day, unless the reader was away too long. */
export async function saveVisits(pool: Pool, rows: readonly VisitRow[]): Promise<void> {
  await pool.query(
    `insert into first_visits as known (account_id, user_key, first_at, seen_on)
     select a.id, v.user_key, to_timestamp(v.first_seconds), date 'epoch' + v.seen_day
       from unnest($1::bigint[], $2::text[], $3::float8[], $4::integer[])
         as v (account_id, user_key, first_seconds, seen_day)
       join accounts a on a.id = v.account_id
     on conflict (user_key) do update
       set first_at = case when excluded.seen_on - known.seen_on > ${REMEMBERED_DAYS}
                           then excluded.first_at else least(known.first_at, excluded.first_at) end,
           seen_on = greatest(known.seen_on, excluded.seen_on)`,
    [
      plainArray(rows.map(({ publisherKey }) => publisherKey)),
      textArray(rows.map(({ userKey }) => userKey)),
      plainArray(rows.map(({ firstSeconds }) => firstSeconds)),
      plainArray(rows.map(({ seenDay }) => seenDay)),
    ],
  )
}

const PAGE = 20_000
const PAGES_MAX = 50

interface StoredVisit extends VisitRow {
  readonly seenOn: string
}

/** Readers who are still remembered, the latest first, a million at most. */
export async function* pagesOfVisits(pool: Pool, at: Date): AsyncGenerator<readonly VisitRow[]> {
  const oldest = dayOf(at.getTime() / 1_000) - REMEMBERED_DAYS
  let after: StoredVisit | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const { rows }: { rows: StoredVisit[] } = await pool.query<StoredVisit>(
      `select account_id::float8 as "publisherKey", user_key as "userKey", seen_on::text as "seenOn",
              floor(extract(epoch from first_at))::float8 as "firstSeconds",
              seen_on - date 'epoch' as "seenDay"
         from first_visits
        where (seen_on, user_key) < ($1::date, $2::text) and seen_on >= date 'epoch' + $3::integer
        order by seen_on desc, user_key desc
        limit ${PAGE}`,
      [after?.seenOn ?? 'infinity', after?.userKey ?? '', oldest],
    )
    yield rows
    after = rows.at(-1)
    if (rows.length < PAGE) return
  }
}

const FORGET_LIMIT = 100_000

/** Deletes readers who stayed away for so long that they would come back as newcomers. */
export async function deleteOldVisits(pool: Pool, at: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from first_visits where ctid in (
       select ctid from first_visits where seen_on < date 'epoch' + $1::integer
        order by seen_on limit ${FORGET_LIMIT})`,
    [dayOf(at.getTime() / 1_000) - REMEMBERED_DAYS],
  )
  return rowCount ?? 0
}
