import { type Micros, NO_MONEY } from '@placard/money'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { Order } from '../../platform/resources/index.ts'
import { advertisers, campaigns } from './tables.ts'

/** What a campaign has been charged, by days of its advertiser. */
export type CampaignSpend = {
  readonly spentTodayMicros: Micros
  /** Today and the six days before. */
  readonly spentWeekMicros: Micros
  /** Where an even day would be now. Null without a daily budget. */
  readonly plannedTodayMicros: Micros | null
}

const instant = (now: Date) => sql`${now.toISOString()}::timestamptz`

/** The advertiser's today, and how much of it has passed. */
const joinDay = (now: Date): SQL => sql`
  join advertisers buyer on buyer.id = ${campaigns.advertiserId}
  cross join lateral (
    select today, extract(epoch from ${instant(now)} - today::timestamp at time zone zone_or_utc(buyer.time_zone))
           / extract(epoch from (today + 1)::timestamp at time zone zone_or_utc(buyer.time_zone)
                              - today::timestamp at time zone zone_or_utc(buyer.time_zone)) as passed
      from (select (${instant(now)} at time zone zone_or_utc(buyer.time_zone))::date as today) as days
  ) as day`

const joinToday = sql`
  left join budget_days spent on spent.scope = 'campaign' and spent.owner_id = ${campaigns.id} and spent.day = day.today`

const joinWeek = sql`
  left join lateral (
    select sum(d.spent_micros)::bigint as micros from budget_days d
     where d.scope = 'campaign' and d.owner_id = ${campaigns.id} and d.day between day.today - 6 and day.today
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
           trunc(${campaigns.budgetDailyMicros} * day.passed)::bigint as planned
      from ${campaigns} ${joinDay(now)} ${joinToday} ${joinWeek}
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
      joins: sql`${joinDay(now)} ${joinWeek}`,
    }),
  },
  /** How far ahead of an even day, in millionths of the day's budget, for those that follow one. */
  pace: {
    type: 'bigint',
    read: (now) => ({
      value: sql`case when ${campaigns.status} = 'active' and ${campaigns.pacingStrategy} = 'Smooth'
        then trunc(1000000 * (coalesce(spent.spent_micros, 0)::numeric / ${campaigns.budgetDailyMicros} - day.passed))::bigint end`,
      joins: sql`${joinDay(now)} ${joinToday}`,
    }),
  },
}

/** Campaigns by the name of their advertiser, or by their contract reference. */
export const matchesCampaign = (word: string): SQL => sql`(
  ${campaigns.advertiserId} = any (array(
    select ${advertisers.id} from ${advertisers}
     where to_tsvector('simple', ${advertisers.name}) @@ to_tsquery('simple', ${`${word}:*`})))
  or to_tsvector('simple', translate(${campaigns.contractRef}, '-/_.#', '     ')) @@ to_tsquery('simple', ${`${word}:*`}))`
