import type { ClientBase, Pool } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'

/**
 * Takes leases back from their nodes. `chosen` selects them as (campaign_id, day, node,
 * advertiser_id).
 */
const TAKE_BACK = (chosen: string) => `
  with chosen as materialized (${chosen}),
  wanted as materialized (
    select distinct 'advertiser' as scope, advertiser_id as owner_id, day from chosen
    union all
    select distinct 'campaign', campaign_id, day from chosen
  ), days as materialized (
    select d.scope, d.owner_id, d.day
      from wanted join budget_days d using (scope, owner_id, day)
     order by d.scope, d.owner_id, d.day
       for update of d
  ), totals as materialized (
    select t.campaign_id
      from campaign_totals t
     where t.campaign_id in (select campaign_id from chosen) and (select count(*) from days) > 0
     order by t.campaign_id
       for update of t
  ), lease as materialized (
    select l.campaign_id, l.advertiser_id, l.day, l.node, l.amount_micros
      from chosen c join budget_leases l using (campaign_id, day, node)
     where (select count(*) from totals) > 0
       for update of l
  ), gone as (
    delete from budget_leases l using lease
     where l.campaign_id = lease.campaign_id and l.day = lease.day and l.node = lease.node
  ), freed as materialized (
    select 'campaign' as scope, campaign_id as owner_id, day, sum(amount_micros)::bigint as micros
      from lease group by campaign_id, day
    union all
    select 'advertiser', advertiser_id, day, sum(amount_micros)::bigint
      from lease group by advertiser_id, day
  ), changed_days as (
    update budget_days d set leased_micros = d.leased_micros - f.micros
      from freed f
     where d.scope = f.scope and d.owner_id = f.owner_id and d.day = f.day
  ), changed_totals as (
    update campaign_totals t set leased_micros = t.leased_micros - f.micros
      from (select campaign_id, sum(amount_micros)::bigint as micros from lease group by 1) f
     where t.campaign_id = f.campaign_id
  ), entered as (
    insert into ledger_entries
           (scope, owner_id, day, entry_id, kind, amount_micros, leased_micros, created_at)
    select scope, owner_id, day, (select nextval('ledger_entry_ids')), 'lease-returned', micros,
           -micros, now()
      from freed where micros <> 0
  )
  select count(*)::integer as leases, coalesce(sum(amount_micros), 0)::bigint as micros from lease`

interface TakenBack {
  readonly leases: number
  readonly micros: bigint
}

const LEASES_PER_SWEEP = 500

/**
 * Leases of nodes that did not renew, by the database's clock. The rows are deleted once all is
 * returned.
 */
const EXPIRED = TAKE_BACK(`
  select l.campaign_id, l.day, l.node, l.advertiser_id
    from lease_holders h join budget_leases l on l.node = h.node
   where h.expires_at <= clock_timestamp()
   limit ${LEASES_PER_SWEEP}`)

export async function returnExpiredLeases(pool: Pool): Promise<TakenBack> {
  const { rows } = await pool.query<{ leases: number; micros: string }>(EXPIRED)
  await pool.query(
    `delete from lease_holders h
      where h.expires_at <= clock_timestamp()
        and not exists (select from budget_leases l where l.node = h.node)`,
  )
  return { leases: rows[0]!.leases, micros: BigInt(rows[0]!.micros) }
}

/** Money leased by nodes that stopped, until it is returned. */
export async function sumStrandedMicros(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query<{ micros: string }>(
    `select coalesce(sum(l.amount_micros), 0)::bigint as micros
       from budget_leases l left join lease_holders h on h.node = l.node
      where h.node is null or h.expires_at <= clock_timestamp()`,
  )
  return BigInt(rows[0]!.micros)
}

/** Leases of ledger accounts that are above the catalogue's current limits. */
const ABOVE = TAKE_BACK(`
  select l.campaign_id, l.day, l.node, l.advertiser_id
    from budget_leases l
    join campaigns c on c.id = l.campaign_id
    join advertisers a on a.id = l.advertiser_id
    join budget_days cd on cd.scope = 'campaign' and cd.owner_id = l.campaign_id and cd.day = l.day
    join budget_days ad on ad.scope = 'advertiser' and ad.owner_id = l.advertiser_id and ad.day = l.day
    join campaign_totals t on t.campaign_id = l.campaign_id
   where (l.campaign_id = any ($1::bigint[]) or l.advertiser_id = any ($2::bigint[]))
     and (cd.spent_micros + cd.leased_micros > c.budget_daily_micros + cd.allowance_micros
          or ad.spent_micros + ad.leased_micros > a.budget_daily_micros + ad.allowance_micros
          or t.spent_micros + t.leased_micros > c.budget_total_micros)`)

interface Owners {
  readonly campaignKeys: readonly number[]
  readonly advertiserKeys: readonly number[]
}

/** Runs in the transaction that lowers the limits. */
export async function revokeLeases(client: ClientBase, { campaignKeys, advertiserKeys }: Owners) {
  await client.query(ABOVE, [plainArray(campaignKeys), plainArray(advertiserKeys)])
}
