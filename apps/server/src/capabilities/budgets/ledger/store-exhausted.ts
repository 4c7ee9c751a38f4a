import { drizzle } from 'drizzle-orm/node-postgres'
import type { ClientBase } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Ids } from '../../../platform/ids.ts'
import { appendEvents } from '../../../platform/outbox/store.ts'
import type { LedgerAccountKey, LedgerScope } from './admit-charges.ts'

interface ExhaustedRow {
  readonly scope: LedgerScope
  readonly public_id: string
  readonly day: string | null
  readonly limit_micros: string | null
  readonly spent_micros: string
}

/** Records each ledger account once until its limit is raised, and returns the new ones. */
const NOTE = `
  with full_account as (
    select * from unnest($1::text[], $2::bigint[], $3::integer[]) as a (scope, owner_id, day_number)
  ), days as (
    update budget_days d set exhausted_at = $4::timestamptz
      from full_account a
     where d.scope = a.scope and d.owner_id = a.owner_id and d.day = date 'epoch' + a.day_number
       and d.exhausted_at is null
    returning d.scope, d.owner_id, d.day, d.limit_micros, d.spent_micros
  ), totals as (
    update campaign_totals t set exhausted_at = $4::timestamptz
      from full_account a
     where a.scope = 'total' and t.campaign_id = a.owner_id and t.exhausted_at is null
    returning 'total', t.campaign_id, null::date, t.limit_micros, t.spent_micros
  ), noted as (
    select * from days union all select * from totals
  )
  select n.scope, coalesce(c.public_id, a.public_id) as public_id, n.day::text as day,
         n.limit_micros, n.spent_micros
    from noted n
    left join campaigns c on c.id = n.owner_id and n.scope <> 'advertiser'
    left join advertisers a on a.id = n.owner_id and n.scope = 'advertiser'
   where coalesce(c.public_id, a.public_id) is not null
   order by 1, 2, 3`

interface Exhaustion {
  readonly accounts: readonly LedgerAccountKey[]
  readonly at: Date
  readonly ids: Ids
}

/** Publishes used-up budgets in the same transaction. */
export async function publishExhausted(client: ClientBase, { accounts, at, ids }: Exhaustion) {
  if (accounts.length === 0) return
  const { rows } = await client.query<ExhaustedRow>(NOTE, [
    plainArray(accounts.map(({ scope }) => scope)),
    plainArray(accounts.map(({ ownerKey }) => ownerKey)),
    plainArray(accounts.map(({ day }) => day)),
    at.toISOString(),
  ])
  await appendEvents(
    drizzle(client as never),
    rows.map((row) => ({
      id: ids.next(),
      type: 'budget.exhausted.v1',
      subject: row.public_id,
      time: at,
      data: {
        budget: BUDGET_NAMES[row.scope],
        [row.scope === 'advertiser' ? 'advertiserId' : 'campaignId']: row.public_id,
        day: row.day,
        limitMicros: row.limit_micros,
        spentMicros: row.spent_micros,
      },
    })),
  )
}

const BUDGET_NAMES: Record<LedgerScope, string> = {
  campaign: 'campaign-day',
  advertiser: 'advertiser-day',
  total: 'campaign-lifetime',
}
