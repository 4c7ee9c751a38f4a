import pg from 'pg'
import { connectRedis } from '../apps/server/src/platform/redis/connect.ts'
import type { AccountBooks, Books } from './checker.ts'

const STORED = `
  select event_id, count(*)::integer as times
    from (select event_id from impressions union all select event_id from views
          union all select event_id from clicks union all select event_id from quarantined_events) e
   group by event_id`

const COUNTS = `
  select (select count(*) from impressions)::integer + (select count(*) from views)::integer
         + (select count(*) from clicks)::integer as rows,
         (select coalesce(sum(impressions + views + clicks), 0) from delivery_stats
           where label <> 'duplicate')::integer as delivered,
         (select count(*) from event_inbox)::integer as unsettled`

const CHARGED = `
  select campaign_id, advertiser_id, budget_day, sum(charged_millis) as millis
    from (select campaign_id, advertiser_id, budget_day, charged_millis from impressions
          union all select campaign_id, advertiser_id, budget_day, charged_millis from clicks) e
   group by 1, 2, 3`

/** Every ledger account with the sums of its entries, its events and its leases. */
const ACCOUNTS = `
  with charged as materialized (${CHARGED})
  select d.limit_micros, d.spent_micros, d.remainder_millis, d.leased_micros,
         (select coalesce(sum(amount_micros), 0) from ledger_entries l
           where l.scope = d.scope and l.owner_id = d.owner_id and l.day = d.day
             and l.kind in ('settled', 'credit', 'adjustment')) as entries,
         (select coalesce(sum(millis), 0) from charged c
           where c.budget_day = d.day
             and d.owner_id = case d.scope when 'campaign' then c.campaign_id else c.advertiser_id end) as millis,
         (select coalesce(sum(amount_micros), 0) from budget_leases l
           where l.day = d.day
             and d.owner_id = case d.scope when 'campaign' then l.campaign_id else l.advertiser_id end) as leases
    from budget_days d
  union all
  select t.limit_micros, t.spent_micros, t.remainder_millis, t.leased_micros, null,
         (select coalesce(sum(millis), 0) from charged c where c.campaign_id = t.campaign_id),
         (select coalesce(sum(amount_micros), 0) from budget_leases l where l.campaign_id = t.campaign_id)
    from campaign_totals t`

/** How often the job of each whole minute between two instants was created. */
const CRON = `
  select count(j.id)::integer as runs
    from generate_series(date_trunc('minute', $1::timestamptz) + interval '1 min',
                         date_trunc('minute', $2::timestamptz) - interval '1 min', interval '1 min') as minute
    left join pgboss.job j
      on j.name = 'banner.sync_schedule_status' and date_trunc('minute', j.created_on) = minute
   group by minute order by minute`

export interface Span {
  readonly from: Date
  readonly to: Date
}

export interface BookPlaces {
  readonly databaseUrl: string
  /** The Redis with the job queues, if they are not in PostgreSQL. */
  readonly redisUrl: string | undefined
}

/** Reads PostgreSQL in one snapshot, and the queues from where they are. */
export async function readBooks(
  { databaseUrl, redisUrl }: BookPlaces,
  span: Span,
): Promise<Omit<Books, 'atRest'>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const stored = await client.query<{ event_id: string; times: number }>(STORED)
    const counts = await client.query(COUNTS)
    const accounts = await client.query(ACCOUNTS)
    const cronRuns = redisUrl ? await cronInRedis(redisUrl, span) : await cronIn(client, span)
    return {
      ...(counts.rows[0] as { rows: number; delivered: number; unsettled: number }),
      stored: new Map(stored.rows.map(({ event_id, times }) => [event_id, times])),
      accounts: accounts.rows.map(toAccount),
      cronRuns,
    }
  } finally {
    await client.end()
  }
}

async function cronIn(client: pg.Client, { from, to }: Span): Promise<number[]> {
  const { rows } = await client.query<{ runs: number }>(CRON, [from, to])
  return rows.map(({ runs }) => runs)
}

const MINUTE_MS = 60_000
const TICKS = '{placard-jobs}:*:repeat:*'
/** Jobs that run once per minute. */
const EVERY_MINUTE = ['banner.sync_schedule_status', 'tracking.rescore']

/** The name of a scheduled run contains its time. */
async function cronInRedis(url: string, { from, to }: Span): Promise<number[]> {
  const redis = connectRedis({ url, onError: () => {} })
  const ran = new Map<string, number>()
  for (const key of await redis.keys(TICKS)) {
    const [job, ms] = key.split(':').slice(-2)
    if (!/^\d+$/.test(ms!) || !(await redis.hexists(key, 'processedOn'))) continue
    const tick = `${job} ${Math.floor(Number(ms) / MINUTE_MS)}`
    ran.set(tick, (ran.get(tick) ?? 0) + 1)
  }
  redis.disconnect()
  const first = Math.floor(from.getTime() / MINUTE_MS) + 1
  const last = Math.floor(to.getTime() / MINUTE_MS) - 1
  const minutes = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  return EVERY_MINUTE.flatMap((job) => minutes.map((minute) => ran.get(`${job} ${minute}`) ?? 0))
}

/** Micros leased by nodes that stopped. */
export async function readStranded(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ micros: number }>(
    `select coalesce(sum(l.amount_micros), 0)::float8 as micros
       from budget_leases l left join lease_holders h on h.node = l.node
      where h.node is null or h.expires_at <= clock_timestamp()`,
  )
  await client.end()
  return rows[0]!.micros
}

const toAccount = (row: Readonly<Record<string, string | null>>): AccountBooks => ({
  limitMicros: maybe(row['limit_micros']),
  spentMicros: BigInt(row['spent_micros']!),
  remainderMillis: BigInt(row['remainder_millis']!),
  leasedMicros: BigInt(row['leased_micros']!),
  entriesMicros: maybe(row['entries']),
  eventMillis: BigInt(row['millis']!),
  leasesMicros: BigInt(row['leases']!),
})

const maybe = (value: string | null | undefined) =>
  value === null || value === undefined ? undefined : BigInt(value)
