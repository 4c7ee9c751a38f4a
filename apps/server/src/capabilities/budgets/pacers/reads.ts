import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Pacer, PacerSums } from './pacer.ts'

export interface PacerFilter {
  readonly at: Date
  /** The account of the campaigns. Undefined for all accounts. */
  readonly accountId: bigint | undefined
  readonly campaignId: string | undefined
}

/** One row per campaign with its today. A day without spend has no row of its own. */
const pacers = ({ at, accountId, campaignId }: PacerFilter): SQL => sql`
  select c.public_id, c.name, c.status, a.currency, t.today, c.budget_daily_micros as daily,
         extract(epoch from ${at.toISOString()}::timestamptz - t.starts_at)::int as elapsed,
         extract(epoch from t.ends_at - t.starts_at)::int as length,
         c.pacing_strategy as strategy, coalesce(d.leased_micros, 0) as leased,
         greatest(0, coalesce(d.spent_micros - d.allowance_micros, 0)) as spent,
         date_trunc('milliseconds', greatest(c.updated_at, e.created_at)) as last_updated
    from campaigns c
    join advertisers a on a.id = c.advertiser_id
    cross join lateral (
      select n.today, n.today::timestamp at time zone zone_or_utc(a.time_zone) as starts_at,
             (n.today + 1)::timestamp at time zone zone_or_utc(a.time_zone) as ends_at
        from (select (${at.toISOString()}::timestamptz at time zone zone_or_utc(a.time_zone))::date as today) n
    ) t
    left join budget_days d on d.scope = 'campaign' and d.owner_id = c.id and d.day = t.today
    left join lateral (
      select l.created_at from ledger_entries l
       where l.scope = 'campaign' and l.owner_id = c.id and l.day = d.day
       order by l.entry_id desc limit 1
    ) e on true
   where c.deleted_at is null and c.channel = 'onsite'
     and (${accountId === undefined} or c.account_id = ${accountId?.toString() ?? null}::bigint)
     and (${campaignId === undefined} or c.public_id = ${campaignId ?? null}::uuid)`

export interface PacerCursor {
  readonly time: Date
  readonly id: string
}

export interface PacerPlace {
  readonly offset: number
  readonly after: PacerCursor | undefined
  readonly limit: number
}

interface PacerRow extends Record<string, unknown> {
  readonly public_id: string
  readonly name: string
  readonly status: string
  readonly elapsed: number
  readonly length: number
  readonly currency: string
  readonly today: string
  readonly daily: string | null
  readonly strategy: Pacer['strategy']
  readonly leased: string
  readonly spent: string
  readonly last_updated: string | Date
}

/** Latest change first. */
export async function listPacers(
  db: Database,
  filter: PacerFilter,
  { offset, after, limit }: PacerPlace,
): Promise<Pacer[]> {
  const { rows } = await db.execute<PacerRow>(sql`
    select p.public_id, p.name, p.status, p.elapsed, p.length, p.currency, p.today::text as today,
           p.daily, p.strategy, p.leased, p.spent, p.last_updated
      from (${pacers(filter)}) p
     where ${after === undefined} or (p.last_updated, p.public_id)
           < (${after?.time.toISOString() ?? null}::timestamptz, ${after?.id ?? null}::uuid)
     order by p.last_updated desc, p.public_id desc
     offset ${offset} limit ${limit}`)
  return rows.map((row) => ({
    campaignId: row.public_id,
    campaignName: row.name,
    campaignStatus: row.status,
    progress: { elapsedSeconds: row.elapsed, lengthSeconds: row.length },
    currency: row.currency,
    day: row.today,
    dailyMicros: row.daily === null ? null : BigInt(row.daily),
    spentMicros: BigInt(row.spent),
    leasedMicros: BigInt(row.leased),
    strategy: row.strategy,
    lastUpdated: new Date(row.last_updated),
  }))
}

export async function countPacers(
  db: Database,
  filter: PacerFilter,
  countMax: number,
): Promise<number> {
  const { accountId, campaignId } = filter
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::integer as count from (
      select from campaigns c
       where c.deleted_at is null and c.channel = 'onsite'
         and (${accountId === undefined} or c.account_id = ${accountId?.toString() ?? null}::bigint)
         and (${campaignId === undefined} or c.public_id = ${campaignId ?? null}::uuid)
       limit ${countMax}) counted`)
  return rows[0]!.count
}

/** Sums of campaigns with a daily budget, per currency. */
export async function sumPacers(db: Database, filter: PacerFilter): Promise<PacerSums[]> {
  const { rows } = await db.execute<Record<string, string> & { currency: string }>(sql`
    select currency, count(*) as campaigns, sum(daily) as daily, sum(spent) as spent,
           sum(trunc(spent * 100.0 / daily, 2)) as percents,
           count(*) filter (where spent >= daily) as exceeded
      from (${pacers(filter)}) p
     where daily > 0
     group by currency
     order by currency`)
  return rows.map((row) => ({
    currency: row.currency,
    campaigns: Number(row['campaigns']),
    dailyMicros: BigInt(row['daily']!),
    spentMicros: BigInt(row['spent']!),
    percents: Number(row['percents']),
    exceeded: Number(row['exceeded']),
  }))
}
