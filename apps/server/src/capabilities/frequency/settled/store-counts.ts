import type { CapScope, FrequencyWindow } from '@placard/decision-engine'
import type { Pool } from 'pg'
import type { SeenRow } from '../counters/counters.ts'

const PAGE = 20_000
const PAGES_MAX = 250

interface CountRow {
  readonly userKey: string
  readonly scope: CapScope
  readonly key: number
  readonly window: FrequencyWindow
  readonly impressions: number
  readonly atMs: number
}

/** Counts of the windows that are open now, page by page, five million at most. */
export async function* pagesOfSeen(pool: Pool, at: Date): AsyncGenerator<readonly SeenRow[]> {
  let after: CountRow | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const { rows }: { rows: CountRow[] } = await pool.query<CountRow>(
      `select user_key as "userKey", scope, target_id::float8 as key, "window", impressions,
              extract(epoch from window_start)::float8 * 1000 as "atMs"
         from frequency_counts
        where (user_key, scope, target_id, "window") > ($2, $3, $4, $5)
          and window_start = window_start_of("window", $1::timestamptz)
        order by user_key, scope, target_id, "window"
        limit ${PAGE}`,
      [
        at.toISOString(),
        after?.userKey ?? '',
        after?.scope ?? '',
        after?.key ?? 0,
        after?.window ?? '',
      ],
    )
    yield rows
    after = rows.at(-1)
    if (rows.length < PAGE) return
  }
}
