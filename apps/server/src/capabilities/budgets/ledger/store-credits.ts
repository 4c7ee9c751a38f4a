import type { ClientBase } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Entry } from './store-ledger-accounts.ts'

/** A credit makes room again, so a used-up budget may be published as exhausted once more. */
const POST = `
  with entry as materialized (
    select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::smallint[],
                         $6::integer[], $7::integer[])
      as entry (scope, owner_id, day_number, amount, remainder, impressions, clicks)
  ), days as (
    update budget_days d
       set spent_micros = d.spent_micros + e.amount, remainder_millis = e.remainder, exhausted_at = null
      from entry e
     where d.scope = e.scope and d.owner_id = e.owner_id and d.day = date 'epoch' + e.day_number
  ), totals as (
    update campaign_totals t
       set spent_micros = t.spent_micros + e.amount, remainder_millis = e.remainder,
           impressions = t.impressions + e.impressions, clicks = t.clicks + e.clicks, exhausted_at = null
      from entry e
     where e.scope = 'total' and t.campaign_id = e.owner_id
  ), numbered as (select nextval('ledger_entry_ids') as entry_id)
  insert into ledger_entries (scope, owner_id, day, entry_id, kind, amount_micros, note, created_at)
  select scope, owner_id, date 'epoch' + day_number, entry_id, 'credit', amount, $8, $9::timestamptz
    from entry, numbered
   where scope <> 'total' and amount <> 0`

export interface Credited {
  /** Amounts and counts are negative. */
  readonly entries: readonly Entry[]
  readonly note: string
  readonly at: Date
}

/** Only for ledger accounts this transaction has locked: remainders are set, not added. */
export async function postCredits(
  client: ClientBase,
  { entries, note, at }: Credited,
): Promise<void> {
  if (entries.length === 0) return
  await client.query(POST, [
    plainArray(entries.map(({ scope }) => scope)),
    plainArray(entries.map(({ ownerKey }) => ownerKey)),
    plainArray(entries.map(({ day }) => day)),
    plainArray(entries.map(({ amountMicros }) => amountMicros)),
    plainArray(entries.map(({ remainderMillis }) => remainderMillis)),
    plainArray(entries.map(({ impressions }) => impressions)),
    plainArray(entries.map(({ clicks }) => clicks)),
    note,
    at.toISOString(),
  ])
}
