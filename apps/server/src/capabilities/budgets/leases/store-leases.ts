import { type ClientBase, Pool } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import { leaseName } from './lease.ts'
import type { LeaseBalance } from '../ledger/admit-charges.ts'
import type { Payer } from '../ledger/store-ledger-accounts.ts'

/**
 * Leases of payers whose ledger accounts this transaction has locked. Nobody else changes them
 * meanwhile.
 */
export async function listLeaseBalances(
  client: ClientBase,
  payers: readonly Payer[],
): Promise<ReadonlyMap<string, LeaseBalance>> {
  const { rows } = await client.query<{
    campaign_id: string
    day: number
    node: string
    amount_micros: string
  }>(
    `select l.campaign_id, l.day - date 'epoch' as day, l.node, l.amount_micros
       from unnest($1::bigint[], $2::integer[]) as p (campaign_id, day_number)
       join budget_leases l on l.campaign_id = p.campaign_id and l.day = date 'epoch' + p.day_number`,
    [
      plainArray(payers.map(({ campaignKey }) => campaignKey)),
      plainArray(payers.map(({ day }) => day)),
    ],
  )
  return new Map(
    rows.map(({ campaign_id, day, node, amount_micros }) => [
      leaseName({ campaignKey: Number(campaign_id), day, node }),
      { amountMicros: BigInt(amount_micros) },
    ]),
  )
}

const QUERY_MS_MAX = 5_000

/** A connection of its own: other queries never delay a lease. */
export function openLeasePool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 2_000,
    statement_timeout: QUERY_MS_MAX,
    // A server that hangs does not apply its own timeout.
    query_timeout: QUERY_MS_MAX + 1_000,
    application_name: 'placard leases',
  })
  // The next query replaces a connection that breaks while idle.
  pool.on('error', () => {})
  return pool
}

/** A node that may hold leases until it stops renewing. */
export interface Holder {
  readonly node: string
  readonly fence: string
  readonly leaseMs: number
}

/** Undefined while leases of the same name are still to be returned. */
export async function addHolder(
  pool: Pool,
  { node, leaseMs }: Omit<Holder, 'fence'>,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ fence: string }>(
    `insert into lease_holders (node, fence, expires_at)
     values ($1, nextval('lease_fences'), clock_timestamp() + $2 * interval '1 millisecond')
     on conflict do nothing returning fence`,
    [node, leaseMs],
  )
  return rows[0]?.fence
}

/** Removes the holder as soon as it has no leases, without waiting for expiry. */
export async function removeHolder(
  pool: Pool,
  { node, fence }: Omit<Holder, 'leaseMs'>,
): Promise<void> {
  await pool.query(
    `delete from lease_holders h
      where h.node = $1 and h.fence = $2
        and not exists (select from budget_leases l where l.node = h.node)`,
    [node, fence],
  )
}

/**
 * What a node wants to hold: an amount between least and most stays, any other moves to the aim.
 */
export interface LeaseRequest extends Payer {
  readonly minMicros: number
  readonly targetMicros: number
  readonly maxMicros: number
  /** The lowest grant. A lease shrinks with what is left, but not below this. */
  readonly grantMicrosMin: number
}

/** What a node holds now, and the payer's ledger accounts. */
export interface LeaseGrant {
  readonly campaignKey: number
  readonly advertiserKey: number
  readonly day: number
  readonly amountMicros: number
  readonly campaignDaySpentMicros: number
  readonly campaignSpentMicros: number
  readonly advertiserDaySpentMicros: number
}

/** A lease is at most this fraction of what is left, so that other nodes get some too. */
const SHARE = 4

/**
 * Renews the holder and moves its leases in one statement, so that a node that is paused in the
 * middle keeps no lock. Ledger accounts are locked in the order of their ids. Leases are read after
 * that, in their newest version.
 */
const REFILL = `
  with holder as materialized (
    update lease_holders set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
     where node = $1 and fence = $2 and expires_at > clock_timestamp()
    returning node, fence
  ), request as materialized (
    select a.*, date 'epoch' + a.day_number as day
      from holder, unnest($4::bigint[], $5::bigint[], $6::integer[], $7::bigint[], $8::bigint[],
                          $9::bigint[], $10::bigint[])
        as a (campaign_id, advertiser_id, day_number, least_, aim, most, grant_min)
  ), wanted as materialized (
    select distinct 'advertiser' as scope, advertiser_id as owner_id, day from request
    union all
    select distinct 'campaign', campaign_id, day from request
  ), days as materialized (
    select d.scope, d.owner_id, d.day, d.limit_micros, d.spent_micros, d.leased_micros,
           d.allowance_micros
      from wanted join budget_days d using (scope, owner_id, day)
     order by d.scope, d.owner_id, d.day
       for update of d
  ), totals as materialized (
    select t.campaign_id, t.limit_micros, t.spent_micros, t.leased_micros
      from campaign_totals t
     where t.campaign_id in (select campaign_id from request) and (select count(*) from days) > 0
     order by t.campaign_id
       for update of t
  ), held as materialized (
    select l.campaign_id, l.day, l.amount_micros
      from request a join budget_leases l using (campaign_id, day)
     where l.node = $1 and (select count(*) from totals) > 0
       for update of l
  ), known as materialized (
    select a.*, coalesce(h.amount_micros, 0) as amount,
           c.limit_micros - c.spent_micros - c.leased_micros as day_room,
           t.limit_micros - t.spent_micros - t.leased_micros as total_room,
           v.limit_micros - v.spent_micros - v.leased_micros as advertiser_room,
           c.spent_micros - c.allowance_micros as day_spent, t.spent_micros as total_spent,
           v.spent_micros as advertiser_spent
      from request a
      join days c on c.scope = 'campaign' and c.owner_id = a.campaign_id and c.day = a.day
      join days v on v.scope = 'advertiser' and v.owner_id = a.advertiser_id and v.day = a.day
      join totals t on t.campaign_id = a.campaign_id
      left join held h on h.campaign_id = a.campaign_id and h.day = a.day
  ), wish as materialized (
    select k.*,
           case when amount between least_ and most then 0
                when aim <= amount then aim - amount
                else greatest(0, least(aim - amount, day_room, total_room, advertiser_room,
                       greatest(grant_min, least(day_room, total_room, advertiser_room) / ${SHARE})))
           end as wish
      from known k
  ), of_total as materialized (
    select w.*, case when wish <= 0 then wish else greatest(0, least(wish, total_room - coalesce(
                  sum(greatest(wish, 0)) over (partition by campaign_id order by day
                    rows between unbounded preceding and 1 preceding), 0)))::bigint end as wish_total
      from wish w
  ), change as materialized (
    select o.*, case when wish_total <= 0 then wish_total else greatest(0, least(wish_total,
                  advertiser_room - coalesce(
                  sum(greatest(wish_total, 0)) over (partition by advertiser_id, day order by campaign_id
                    rows between unbounded preceding and 1 preceding), 0)))::bigint end as delta
      from of_total o
  ), moved as materialized (
    select 'campaign' as scope, campaign_id as owner_id, day, sum(delta)::bigint as micros
      from change where delta <> 0 group by campaign_id, day
    union all
    select 'advertiser', advertiser_id, day, sum(delta)::bigint
      from change where delta <> 0 group by advertiser_id, day
  ), changed_days as (
    update budget_days d set leased_micros = d.leased_micros + m.micros
      from moved m
     where d.scope = m.scope and d.owner_id = m.owner_id and d.day = m.day and m.micros <> 0
  ), changed_totals as (
    update campaign_totals t set leased_micros = t.leased_micros + m.micros
      from (select campaign_id, sum(delta)::bigint as micros from change group by 1) m
     where t.campaign_id = m.campaign_id and m.micros <> 0
  ), put as (
    insert into budget_leases (campaign_id, day, node, advertiser_id, fence, amount_micros)
    select c.campaign_id, c.day, h.node, c.advertiser_id, h.fence, c.amount + c.delta
      from change c, holder h where c.delta <> 0 and c.amount + c.delta > 0
    on conflict (campaign_id, day, node) do update set amount_micros = excluded.amount_micros
  ), dropped as (
    delete from budget_leases l using change c
     where l.node = $1 and l.campaign_id = c.campaign_id and l.day = c.day and c.amount + c.delta = 0
  ), entered as (
    insert into ledger_entries
           (scope, owner_id, day, entry_id, kind, amount_micros, leased_micros, created_at)
    select scope, owner_id, day, (select nextval('ledger_entry_ids')),
           case when micros > 0 then 'lease-taken' else 'lease-returned' end, abs(micros), micros, now()
      from moved where micros <> 0
  )
  select h.fence, c.campaign_id, c.advertiser_id, c.day_number, (c.amount + c.delta) as amount,
         c.day_spent, c.total_spent, c.advertiser_spent
    from holder h left join change c on true`

interface GrantRow {
  readonly campaign_id: string | null
  readonly advertiser_id: string
  readonly day_number: number
  readonly amount: string
  readonly day_spent: string
  readonly total_spent: string
  readonly advertiser_spent: string
}

/** Undefined if the holder has expired: its leases are no longer its own. */
export async function refillLeases(
  pool: Pool,
  { node, fence, leaseMs }: Holder,
  requests: readonly LeaseRequest[],
): Promise<LeaseGrant[] | undefined> {
  const { rows } = await pool.query<GrantRow>({
    name: 'refill-leases',
    text: REFILL,
    values: [
      node,
      fence,
      leaseMs,
      plainArray(requests.map(({ campaignKey }) => campaignKey)),
      plainArray(requests.map(({ advertiserKey }) => advertiserKey)),
      plainArray(requests.map(({ day }) => day)),
      plainArray(requests.map(({ minMicros }) => minMicros)),
      plainArray(requests.map(({ targetMicros }) => targetMicros)),
      plainArray(requests.map(({ maxMicros }) => maxMicros)),
      plainArray(requests.map(({ grantMicrosMin }) => grantMicrosMin)),
    ],
  })
  if (rows.length === 0) return undefined
  return rows.filter((row) => row.campaign_id !== null).map(toGrant)
}

const toGrant = (row: GrantRow): LeaseGrant => ({
  campaignKey: Number(row.campaign_id),
  advertiserKey: Number(row.advertiser_id),
  day: row.day_number,
  amountMicros: Number(row.amount),
  campaignDaySpentMicros: Number(row.day_spent),
  campaignSpentMicros: Number(row.total_spent),
  advertiserDaySpentMicros: Number(row.advertiser_spent),
})
