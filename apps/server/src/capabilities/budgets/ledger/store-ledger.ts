import type { Pool } from 'pg'
import type { LedgerDay, LedgerFault } from './ledger.ts'

export interface LedgerDaysQuery {
  /** Default: every scope. */
  readonly scope?: LedgerDay['scope']
  readonly ownerKey?: number
  /** Dates as text, both inclusive. */
  readonly fromDay: string
  readonly toDay: string
  /** Also adds up the events, which reads whole days of them. */
  readonly withEvents: boolean
  readonly after?: Pick<LedgerDay, 'scope' | 'ownerKey' | 'day'>
  readonly limit: number
}

interface LedgerDayRow {
  readonly scope: LedgerDay['scope']
  readonly owner_id: string
  readonly day: string
  readonly limit_micros: string | null
  readonly spent_micros: string
  readonly remainder_millis: number
  readonly allowance_micros: string
  readonly entries: string
  readonly allowances: string
  readonly leased_micros: string
  readonly leased_entries: string
  readonly leases: string
  readonly event_millis: string | null
}

/** One snapshot: a batch that settles meanwhile is in all sources or in none. */
const LEDGER_DAYS = (withEvents: boolean) => `
  with page as materialized (
    select * from budget_days
     where day between $1::date and $2::date
       and ($3::text is null or scope = $3) and ($4::bigint is null or owner_id = $4)
       and ($5::text is null or (scope, owner_id, day) > ($5::text, $6::bigint, $7::date))
     order by scope, owner_id, day
     limit $8
  )
  ${withEvents ? `, charged as materialized (${CHARGED})` : ''}
  select p.scope, p.owner_id, p.day::text as day, p.limit_micros, p.spent_micros, p.remainder_millis,
         p.allowance_micros, coalesce(sums.entries, 0) as entries,
         coalesce(sums.allowances, 0) as allowances, p.leased_micros,
         coalesce(sums.leased, 0) as leased_entries, coalesce(held.leases, 0) as leases,
         ${withEvents ? EVENT_MILLIS : 'null'} as event_millis
    from page p
    left join lateral (
      select sum(amount_micros) filter (where kind in ('settled', 'credit', 'adjustment')) as entries,
             sum(amount_micros) filter (where kind = 'allowance') as allowances,
             sum(leased_micros) as leased
        from ledger_entries l
       where l.scope = p.scope and l.owner_id = p.owner_id and l.day = p.day
    ) sums on true
    left join lateral (
      select sum(amount_micros) as leases from budget_leases l
       where l.day = p.day
         and case p.scope when 'campaign' then l.campaign_id = p.owner_id
                          else l.advertiser_id = p.owner_id end
    ) held on true
   order by p.scope, p.owner_id, p.day`

/** A budget day can start a day before or after the UTC day of its decisions. */
const EVENTS_OF = (table: string) => `
  select campaign_id, advertiser_id, budget_day, sum(charged_millis) as millis
    from ${table}
   where decision_day between $1::date - 1 and $2::date + 1
     and budget_day between $1::date and $2::date and charged_millis > 0
   group by campaign_id, advertiser_id, budget_day`
const CHARGED = `${EVENTS_OF('impressions')} union all ${EVENTS_OF('clicks')}`
const EVENT_MILLIS = `
  coalesce((select sum(c.millis) from charged c
             where c.budget_day = p.day
               and p.owner_id = case p.scope when 'campaign' then c.campaign_id else c.advertiser_id end), 0)`

export async function listLedgerDays(pool: Pool, query: LedgerDaysQuery): Promise<LedgerDay[]> {
  const { after } = query
  const { rows } = await pool.query<LedgerDayRow>(LEDGER_DAYS(query.withEvents), [
    query.fromDay,
    query.toDay,
    query.scope ?? null,
    query.ownerKey ?? null,
    after?.scope ?? null,
    after?.ownerKey ?? null,
    after?.day ?? null,
    query.limit,
  ])
  return rows.map((row) => ({
    scope: row.scope,
    ownerKey: Number(row.owner_id),
    day: row.day,
    limitMicros: row.limit_micros === null ? undefined : BigInt(row.limit_micros),
    spentMicros: BigInt(row.spent_micros),
    remainderMillis: BigInt(row.remainder_millis),
    allowanceMicros: BigInt(row.allowance_micros),
    entriesMicros: BigInt(row.entries),
    allowanceEntriesMicros: BigInt(row.allowances),
    leasedMicros: BigInt(row.leased_micros),
    leasedEntriesMicros: BigInt(row.leased_entries),
    leasesMicros: BigInt(row.leases),
    eventMillis: row.event_millis === null ? undefined : BigInt(row.event_millis),
  }))
}

/** Campaigns whose lifetime differs from the sum of their days, spent or leased, in thousandths. */
export async function listTotalFaults(pool: Pool, limit: number) {
  const { rows } = await pool.query<{ campaign_id: string; difference: string }>(
    `select t.campaign_id, coalesce(nullif(t.spent_micros * 1000 + t.remainder_millis - d.millis, 0),
                                    (t.leased_micros - d.leased) * 1000) as difference
       from campaign_totals t
       join (select owner_id, sum(spent_micros * 1000 + remainder_millis) as millis,
                    sum(leased_micros) as leased
               from budget_days where scope = 'campaign' group by owner_id) d on d.owner_id = t.campaign_id
      where t.spent_micros * 1000 + t.remainder_millis <> d.millis or t.leased_micros <> d.leased
      order by t.campaign_id
      limit $1`,
    [limit],
  )
  return rows.map((row) => ({
    campaignKey: Number(row.campaign_id),
    differenceMillis: BigInt(row.difference),
  }))
}

export interface Proof {
  readonly provedAt: Date
  readonly budgetDays: number
  readonly differenceMicros: bigint
  readonly faults: readonly LedgerFault[]
}

export async function addProof(pool: Pool, proof: Proof): Promise<void> {
  const faults = proof.faults.map((fault) => ({
    ...fault,
    differenceMicros: fault.differenceMicros.toString(),
  }))
  await pool.query(
    `insert into ledger_proofs (proved_at, budget_days, difference_micros, faults)
     values ($1, $2, $3, $4)`,
    [
      proof.provedAt.toISOString(),
      proof.budgetDays,
      proof.differenceMicros.toString(),
      JSON.stringify(faults),
    ],
  )
}

export interface ShownProof {
  readonly provedAt: string
  readonly budgetDays: number
  readonly differenceMicros: string
  readonly faults: {
    readonly kind: string
    readonly scope: string
    readonly ownerKey: number
    readonly day: string
    readonly differenceMicros: string
  }[]
}

/** Newest proofs first. */
export async function listProofs(pool: Pool, limit: number): Promise<ShownProof[]> {
  const { rows } = await pool.query<Omit<ShownProof, 'provedAt'> & { provedAt: Date }>(
    `select proved_at as "provedAt", budget_days as "budgetDays",
            difference_micros::text as "differenceMicros", faults
       from ledger_proofs order by id desc limit $1`,
    [limit],
  )
  return rows.map((row) => ({ ...row, provedAt: row.provedAt.toISOString() }))
}
