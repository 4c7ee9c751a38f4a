import type { Pool } from 'pg'
import type { SpentEntry } from '../book/book.ts'

interface SpentRow {
  readonly scope: 'campaign' | 'advertiser' | 'total'
  readonly owner: number
  readonly day: number
  readonly spent: number
}

/** Spend in the database, of lifetimes and open days, for a book that starts. */
export async function listSpent(pool: Pool, at: Date): Promise<SpentEntry[]> {
  const { rows } = await pool.query<SpentRow>(
    `select scope, owner_id::float8 as owner, day - date 'epoch' as day,
            (spent_micros - allowance_micros + sign(remainder_millis))::float8 as spent
       from budget_days where day >= ($1::timestamptz at time zone 'UTC')::date - 1
     union all
     select 'total', campaign_id::float8, 0, (spent_micros + sign(remainder_millis))::float8
       from campaign_totals`,
    [at.toISOString()],
  )
  return rows.map(toEntry)
}

function toEntry({ scope, owner, day, spent }: SpentRow): SpentEntry {
  const spentMicros = Math.max(0, spent)
  if (scope === 'advertiser') {
    return { level: 'advertiser-day', advertiserKey: owner, day, spentMicros }
  }
  return scope === 'campaign'
    ? { level: 'campaign-day', campaignKey: owner, day, spentMicros }
    : { level: 'campaign-lifetime', campaignKey: owner, spentMicros }
}
