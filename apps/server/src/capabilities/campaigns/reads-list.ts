import { type Micros, NO_MONEY } from '@placard/money'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { Order } from '../../platform/resources/index.ts'
import { advertisers, campaigns } from './tables.ts'

/** What a campaign has been charged, by days of its advertiser. */
export type CampaignSpend = {
  readonly spentTodayMicros: Micros
  /** From six days ago, in UTC, to today. */
  readonly spentWeekMicros: Micros
  /** Where an even day would be now. Null without a daily budget. */
  readonly plannedTodayMicros: Micros | null
}

const instant = (now: Date) => sql`${now.toISOString()}::timestamptz`

/** The advertiser's today, and how much of it has passed; worked out once for each zone. */
const joinDay = (now: Date): SQL => sql`
  join advertisers buyer on buyer.id = ${campaigns.advertiserId}
  join (
    select time_zone, today,
           (extract(epoch from ${instant(now)} - starts_at) / extract(epoch from ends_at - starts_at))::float8 as passed
      from (select distinct time_zone from advertisers) as zones
     cross join lateral (
       select (${instant(now)} at time zone zone_or_utc(time_zone))::date as today) as days
     cross join lateral (
       select today::timestamp at time zone zone_or_utc(time_zone) as starts_at,
              (today + 1)::timestamp at time zone zone_or_utc(time_zone) as ends_at) as bounds
    -- Worked out here, once for each zone, not again for each row.
    offset 0
  ) as day on day.time_zone = buyer.time_zone`

const joinToday = sql`
  left join budget_days spent on spent.scope = 'campaign' and spent.owner_id = ${campaigns.id} and spent.day = day.today`

/** Budget days from six days ago, in UTC, on: where the date is ahead of UTC, tomorrow is today. */
const joinWeek = (now: Date): SQL => sql`
  left join (
    select owner_id, sum(spent_micros)::bigint as micros from budget_days
     where scope = 'campaign' and day >= (${instant(now)} at time zone 'UTC')::date - 6
     group by owner_id
  ) as week on week.owner_id = ${campaigns.id}`

const joinOwnWeek = (now: Date): SQL => sql`
  left join lateral (
    select sum(d.spent_micros)::bigint as micros from budget_days d
     where d.scope = 'campaign' and d.owner_id = ${campaigns.id}
       and d.day >= (${instant(now)} at time zone 'UTC')::date - 6
  ) as week on true`

export async function readCampaignSpend(
  db: Database,
  campaignIds: readonly bigint[],
  now: Date,
): Promise<ReadonlyMap<bigint, CampaignSpend>> {
  const { rows } = await db.execute<
    Record<'id', string> & Record<'today' | 'week' | 'planned', string | null>
  >(sql`
    select ${campaigns.id} as id, spent.spent_micros as today, week.micros as week,
           trunc(${campaigns.budgetDailyMicros} * day.passed::numeric)::bigint as planned
      from ${campaigns} ${joinDay(now)} ${joinToday} ${joinOwnWeek(now)}
     where ${inArray(campaigns.id, [...campaignIds])}`)
  return new Map(
    rows.map(({ id, today, week, planned }) => [
      BigInt(id),
      {
        spentTodayMicros: microsOf(today) ?? NO_MONEY,
        spentWeekMicros: microsOf(week) ?? NO_MONEY,
        plannedTodayMicros: microsOf(planned),
      },
    ]),
  )
}

const microsOf = (text: string | null) => (text === null ? null : (BigInt(text) as Micros))

const byColumn = (type: Order['type'], column: SQL): Order => ({
  type,
  read: () => ({ value: column }),
})

/** Orders of the list of campaigns beyond its own columns. */
export const CAMPAIGN_ORDERS: Readonly<Record<string, Order>> = {
  startsAt: byColumn('date', sql`${campaigns.startsAt}`),
  endsAt: byColumn('date', sql`${campaigns.endsAt}`),
  budgetDailyMicros: byColumn('bigint', sql`${campaigns.budgetDailyMicros}`),
  budgetTotalMicros: byColumn('bigint', sql`${campaigns.budgetTotalMicros}`),
  advertiserName: {
    type: 'text',
    read: () => ({
      value: sql`buyer.name`,
      joins: sql`join advertisers buyer on buyer.id = ${campaigns.advertiserId}`,
    }),
  },
  spentTodayMicros: {
    type: 'bigint',
    read: (now) => ({
      value: sql`coalesce(spent.spent_micros, 0)`,
      joins: sql`${joinDay(now)} ${joinToday}`,
    }),
  },
  spentWeekMicros: {
    type: 'bigint',
    read: (now) => ({
      value: sql`coalesce(week.micros, 0)`,
      joins: joinWeek(now),
    }),
  },
  /** How far ahead of an even day, in millionths of the day's budget, for those that follow one. */
  pace: {
    type: 'bigint',
    read: (now) => ({
      value: sql`case when ${campaigns.status} = 'active' and ${campaigns.pacingStrategy} = 'Smooth'
        then trunc(1000000 * (coalesce(spent.spent_micros, 0)::float8 / ${campaigns.budgetDailyMicros} - day.passed))::bigint end`,
      joins: sql`${joinDay(steady(now))} ${joinToday}`,
    }),
  },
}

const STEADY_MS = 300_000

/** The same for five minutes, so that the next page continues where the last one ended. */
const steady = (now: Date) => new Date(Math.floor(now.getTime() / STEADY_MS) * STEADY_MS)

/** Campaigns by the name of their advertiser, or by their contract reference. */
export const matchesCampaign = (word: string): SQL => sql`(
  ${campaigns.advertiserId} = any (array(
    select ${advertisers.id} from ${advertisers}
     where to_tsvector('simple', ${advertisers.name}) @@ to_tsquery('simple', ${`${word}:*`})))
  or to_tsvector('simple', translate(${campaigns.contractRef}, '-/_.#', '     ')) @@ to_tsquery('simple', ${`${word}:*`}))`
