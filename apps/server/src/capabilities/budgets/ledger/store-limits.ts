import { CHECK_VIOLATION, failureOf, sqlErrorOf } from '../../../platform/database/failure.ts'
import type { ClientBase, Pool } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import { revokeLeases } from '../leases/store-lease-returns.ts'

export interface ChangedOwners {
  readonly campaignKeys: readonly number[]
  readonly advertiserKeys: readonly number[]
  readonly at: Date
}

/**
 * Applies the catalogue's current limits to today's and later days and to lifetimes, never below
 * the spend, so that a lowered budget stops delivery and takes nothing back. Past days keep theirs.
 */
const APPLY_LIMITS = `
  with wanted as (
    select 'campaign' as scope, c.id as owner_id, c.budget_daily_micros as daily,
           ($3::timestamptz at time zone zone_or_utc(a.time_zone))::date as today
      from campaigns c join advertisers a on a.id = c.advertiser_id
     where c.id = any ($1::bigint[])
    union all
    select 'advertiser', a.id, a.budget_daily_micros, ($3::timestamptz at time zone zone_or_utc(a.time_zone))::date
      from advertisers a where a.id = any ($2::bigint[])
  ), locked as materialized (
    select d.scope, d.owner_id, d.day, w.daily
      from budget_days d join wanted w on w.scope = d.scope and w.owner_id = d.owner_id
     where d.day >= w.today
     order by d.scope, d.owner_id, d.day
       for update of d
  ), days as (
    update budget_days d
       set limit_micros = case when l.daily is not null
                               then greatest(d.spent_micros, l.daily + d.allowance_micros) end,
           exhausted_at = case when l.daily is null or l.daily + d.allowance_micros > d.spent_micros
                               then null else d.exhausted_at end
      from locked l
     where d.scope = l.scope and d.owner_id = l.owner_id and d.day = l.day
  )
  update campaign_totals t
     set limit_micros = case when c.budget_total_micros is not null
                             then greatest(t.spent_micros, c.budget_total_micros) end,
         exhausted_at = case when c.budget_total_micros is null or c.budget_total_micros > t.spent_micros
                             then null else t.exhausted_at end
    from campaigns c
   where c.id = t.campaign_id and c.id = any ($1::bigint[])`

const ATTEMPTS_MAX = 4

/**
 * Call it for campaigns and advertisers that the change feed names. Leases that do not fit the new
 * limits are taken back in the same transaction. If a node takes a lease meanwhile, it tries again.
 */
export async function applyLimits(pool: Pool, changed: ChangedOwners): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(pool, changed)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error
    }
  }
}

/** A node took a lease above the new limit, or two transactions deadlocked. */
const isRetryable = (error: unknown): boolean =>
  failureOf(error) === 'conflict' || sqlErrorOf(error)?.state === CHECK_VIOLATION

async function applyOnce(pool: Pool, { at, ...owners }: ChangedOwners): Promise<void> {
  const client = await pool.connect()
  let isBroken = true
  try {
    await client.query('begin')
    await lockOwners(client, owners, at)
    await revokeLeases(client, owners)
    await client.query(APPLY_LIMITS, [
      plainArray(owners.campaignKeys),
      plainArray(owners.advertiserKeys),
      at.toISOString(),
    ])
    await client.query('commit')
    isBroken = false
  } catch (error) {
    await client.query('rollback').then(
      () => (isBroken = false),
      () => {},
    )
    throw error
  } finally {
    client.release(isBroken)
  }
}

/**
 * Locks everything that the change may touch, in the common order: days of advertisers, days of
 * campaigns, totals. The lock on an advertiser's day keeps nodes from taking leases under it, so
 * the campaigns with leases are known once they are locked.
 */
async function lockOwners(
  client: ClientBase,
  { campaignKeys, advertiserKeys }: Omit<ChangedOwners, 'at'>,
  at: Date,
): Promise<void> {
  const owners = [plainArray(campaignKeys), plainArray(advertiserKeys)]
  await client.query(LOCK_ADVERTISERS, [...owners, at.toISOString()])
  await client.query(LOCK_CAMPAIGNS, [...owners, at.toISOString()])
}

const ADVERTISERS = `
  select unnest($2::bigint[]) as id union select advertiser_id from campaigns where id = any ($1::bigint[])`
const CAMPAIGNS = `
  select unnest($1::bigint[]) as id
   union select campaign_id from budget_leases where advertiser_id = any ($2::bigint[])`
/** A day can be open a day before or after the UTC day. */
const OPEN_DAYS = `d.day >= ($3::timestamptz at time zone 'UTC')::date - 2`

const LOCK_ADVERTISERS = `
  select 1 from budget_days d
   where d.scope = 'advertiser' and d.owner_id in (${ADVERTISERS}) and ${OPEN_DAYS}
   order by d.scope, d.owner_id, d.day for update of d`

const LOCK_CAMPAIGNS = `
  with days as materialized (
    select 1 from budget_days d
     where d.scope = 'campaign' and d.owner_id in (${CAMPAIGNS}) and ${OPEN_DAYS}
     order by d.scope, d.owner_id, d.day for update of d
  ), totals as materialized (
    select 1 from campaign_totals t
     where t.campaign_id in (${CAMPAIGNS}) and (select count(*) from days) >= 0
     order by t.campaign_id for update of t
  )
  select count(*) from totals`

/** Owners with open days, or with days that were open a moment ago somewhere on earth. */
export async function listOwnersOfOpenDays(pool: Pool, at: Date) {
  const { rows } = await pool.query<{ scope: string; owner: number }>(
    `select distinct scope, owner_id::float8 as owner from budget_days
      where day >= ($1::timestamptz at time zone 'UTC')::date - 1
     union
     select 'campaign', campaign_id::float8 from campaign_totals`,
    [at.toISOString()],
  )
  const ownersIn = (wanted: string) =>
    rows.flatMap(({ scope, owner }) => (scope === wanted ? [owner] : []))
  return { campaignKeys: ownersIn('campaign'), advertiserKeys: ownersIn('advertiser') }
}
