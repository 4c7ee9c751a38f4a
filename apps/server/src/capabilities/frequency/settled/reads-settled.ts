import type { Pool } from 'pg'
import type { SeenRow } from '../counters/counters.ts'

const BATCHES_MAX = 2_000
const COUNTS_MAX = 100_000

/**
 * Counts in the current windows, for users for whom this process settled impressions lately. The
 * index range holds few batches, however long the history.
 */
export async function listSettledBy(pool: Pool, node: string, at: Date): Promise<SeenRow[]> {
  const { rows } = await pool.query<SeenRow>(
    `with latest as materialized (
       select id, node, decision_days from settled_batches order by id desc limit ${BATCHES_MAX}
     ), own as materialized (
       select id, decision_days from latest where node = $1
     ), users as materialized (
       select distinct i.user_key
         from impressions i
        where i.batch_id between (select min(id) from own) and (select max(id) from own)
          and i.decision_day = any (array(select distinct unnest(decision_days) from own))
          and i.batch_id in (select id from own)
          and i.user_key is not null
     )
     select count.user_key as "userKey", count.scope, count.target_id::float8 as key,
            count."window", count.impressions,
            extract(epoch from count.window_start)::float8 * 1000 as "atMs"
       from users join frequency_counts count using (user_key)
      where count.window_start = window_start_of(count."window", $2::timestamptz)
      limit ${COUNTS_MAX}`,
    [node, at.toISOString()],
  )
  return rows
}
