import type { Row } from '../../../platform/database/row.ts'
import { sql, type SQL } from 'drizzle-orm'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Alarm, AlertKind, CampaignToday } from './alert.ts'

/** The subject of an alert. */
export interface Subject {
  readonly key: string
  readonly accountKey: string
  readonly advertiserKey: string
}

export interface Page {
  readonly now: Date
  readonly after: string
  readonly limit: number
}

/**
 * Running campaigns, today and in the previous week. For campaigns that run here, the day is in the
 * advertiser's zone and the spend comes from the ledger. For other channels, the day is in UTC and
 * the channel reports the spend.
 */
export async function listCampaignsToday(db: Database, { now, after, limit }: Page) {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<TodayRow>(sql`
    with running as (
      select c.id, c.account_id, c.advertiser_id, a.currency, c.budget_daily_micros, c.channel,
             ${at} at time zone case when c.channel = 'onsite' then zone_or_utc(a.time_zone) else 'UTC' end as local
        from campaigns c join advertisers a on a.id = c.advertiser_id
       where c.id > ${after}::bigint and c.status = 'active' and c.deleted_at is null
         and (c.starts_at is null or c.starts_at < ${at} - interval '1 day')
       order by c.id limit ${limit}
    )
    select r.id::text as key, r.account_id::text as account, r.advertiser_id::text as advertiser, r.currency,
           r.budget_daily_micros::text as budget, extract(epoch from r.local::time) / 86400 as share,
           coalesce(case when r.channel = 'onsite' then b.spent_micros else today.spend end, 0)::text as spent,
           coalesce(today.impressions, 0)::text as impressions, coalesce(today.clicks, 0)::text as clicks,
           coalesce(week.impressions, 0)::text as week_impressions, coalesce(week.clicks, 0)::text as week_clicks
      from running r
      left join budget_days b on b.scope = 'campaign' and b.owner_id = r.id and b.day = r.local::date
      left join lateral (${daysOf(sql`= (${at} at time zone 'UTC')::date`)}) today on true
      left join lateral (${daysOf(sql`between (${at} at time zone 'UTC')::date - 7 and (${at} at time zone 'UTC')::date - 1`)}) week on true
     order by r.id`)
  return rows.map((row) => ({ ...subjectFrom(row), today: todayFrom(row) }))
}

const daysOf = (when: SQL): SQL => sql`
  select sum(impressions) as impressions, sum(clicks) as clicks, sum(spend) as spend from (
    select impressions, clicks, 0 as spend from campaign_stats s
     where r.channel = 'onsite' and s.label = 'valid' and s.campaign_id = r.id and s.day ${when}
    union all
    select impressions, link_clicks, spend_micros from ad_stats_daily d
     where r.channel <> 'onsite' and d.entity_id = r.id and d.entity_type = 'CAMPAIGN' and d.stat_date ${when}) told`

type SubjectRow = { key: string; account: string; advertiser: string }

type WatchedRow = SubjectRow & { failing_since: string | null; failure: string }

type TodayRow = SubjectRow & {
  currency: string
  budget: string | null
  spent: string
  share: string
  impressions: string
  clicks: string
  week_impressions: string
  week_clicks: string
}

const subjectFrom = ({ key, account, advertiser }: SubjectRow): Subject => ({
  key,
  accountKey: account,
  advertiserKey: advertiser,
})

const todayFrom = (row: TodayRow): CampaignToday => ({
  currency: row.currency,
  budgetMicros: row.budget === null ? undefined : BigInt(row.budget),
  spentMicros: BigInt(row.spent),
  dayShare: Number(row.share),
  impressions: Number(row.impressions),
  clicks: Number(row.clicks),
  weekImpressions: Number(row.week_impressions),
  weekClicks: Number(row.week_clicks),
})

/** Active connections that fail or failed. */
export async function listWatchedConnections(db: Database, { after, limit }: Page) {
  const { rows } = await db.execute<WatchedRow>(sql`
    select f.id::text as key, f.account_id::text as account, f.advertiser_id::text as advertiser,
           f.failing_since, coalesce(f.failure, '') as failure
      from channel_connections f
     where f.id > ${after}::bigint and f.is_active and f.deleted_at is null
       and (f.failing_since is not null
         or exists (select 1 from channel_alerts l where l.connection_id = f.id and l.closed_at is null))
     order by f.id limit ${limit}`)
  return rows.map((row) => ({
    ...subjectFrom(row),
    failingSince: row.failing_since ? new Date(row.failing_since) : undefined,
    failure: row.failure,
  }))
}

export interface Judged {
  readonly subject: Subject
  readonly alarms: readonly Alarm[]
}

interface Saving {
  readonly about: 'campaign_id' | 'connection_id'
  readonly judged: readonly Judged[]
  readonly ids: Ids
  readonly now: Date
}

/** A new alert with the name of its subject. */
export interface OpenedAlert {
  readonly id: string
  readonly kind: AlertKind
  readonly reason: string
  readonly name: string
  /** The id of the campaign or connection. */
  readonly subjectId: string
  readonly advertiserId: string
  readonly accountKey: string
}

/** Opens new alerts, updates the reason of open ones, and closes the others of these subjects. */
export async function saveAlarms(
  db: Database,
  { about, judged, ids, now }: Saving,
): Promise<readonly OpenedAlert[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const column = sql.identifier(about)
  const open = judged.flatMap(({ subject, alarms }) =>
    alarms.map(({ kind, reason }) => ({
      public_id: ids.next(),
      account_id: subject.accountKey,
      advertiser_id: subject.advertiserKey,
      subject: subject.key,
      kind,
      reason,
    })),
  )
  const stillOpen = sql`jsonb_to_recordset(${JSON.stringify(open)}::jsonb)
    as t (public_id uuid, account_id bigint, advertiser_id bigint, subject bigint, kind text, reason text)`
  await db.execute(sql`
    update channel_alerts l set closed_at = ${at}
     where l.closed_at is null
       and l.${column} = any (${plainArray(judged.map(({ subject }) => subject.key))}::bigint[])
       and not exists (select 1 from ${stillOpen} where t.subject = l.${column} and t.kind = l.kind)`)
  if (open.length === 0) return []
  const subjects = sql.identifier(about === 'campaign_id' ? 'campaigns' : 'channel_connections')
  const { rows } = await db.execute<Row<OpenedAlert>>(sql`
    with saved as (
      insert into channel_alerts (public_id, account_id, advertiser_id, ${column}, kind, reason, opened_at)
      select t.public_id, t.account_id, t.advertiser_id, t.subject, t.kind, t.reason, ${at} from ${stillOpen}
      on conflict (kind, campaign_id, connection_id) where closed_at is null
      do update set reason = excluded.reason
      returning *, xmax = 0 as is_new
    )
    select saved.public_id as id, saved.kind, saved.reason, s.name, s.public_id as "subjectId",
           a.public_id as "advertiserId", saved.account_id::text as "accountKey"
      from saved join ${subjects} s on s.id = saved.${column} join advertisers a on a.id = saved.advertiser_id
     where saved.is_new
     order by saved.id`)
  return rows
}

/** Closes alerts of campaigns that no longer run. */
export async function closeStale(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    update channel_alerts l set closed_at = ${now.toISOString()}::timestamptz
     where l.closed_at is null
       and not exists (select 1 from campaigns c
                        where c.id = l.campaign_id and c.status = 'active' and c.deleted_at is null)
       and not exists (select 1 from channel_connections f
                        where f.id = l.connection_id and f.is_active and f.deleted_at is null)`)
}
