import type { Row } from '../../../platform/database/row.ts'
import type { BidPolicy } from '@placard/learning'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { type KeptDay, packAuctions, packRates, unpackAuctions, unpackRates } from './past-day.ts'

/** What a quarter-hour of a budget day brought, and the bids in it. */
export interface WindowRow {
  readonly window: number
  readonly startsAt: Date
  readonly requests: number
  readonly wins: number
  readonly clicks: number
  readonly value: number
  readonly expectedMicros: number
  readonly chargedMicros: number
  readonly base: BidPolicy
  readonly trial: BidPolicy | undefined
  readonly share: number
  readonly baseMultiplier: number
  readonly trialMultiplier: number
  readonly baseLift: number
  readonly trialLift: number
}

export interface CampaignDay {
  readonly campaignKey: number
  readonly day: string
}

/** Repeating is harmless: an existing window stays as it is. */
export async function addWindows(
  db: Database,
  { campaignKey, day }: CampaignDay,
  windows: readonly WindowRow[],
): Promise<void> {
  if (windows.length === 0) return
  await db.execute(sql`
    insert into bid_agent_windows (campaign_id, day, "window", starts_at, requests, wins, clicks, value,
           expected_micros, charged_micros, base, trial, share, base_multiplier, trial_multiplier,
           base_lift, trial_lift)
    select ${campaignKey}, ${day}::date, w."window", w."startsAt", w.requests, w.wins, w.clicks,
           w.value, w."expectedMicros", w."chargedMicros", w.base, w.trial, w.share,
           w."baseMultiplier", w."trialMultiplier", w."baseLift", w."trialLift"
      from jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) as w ("window" smallint,
           "startsAt" timestamptz, requests integer, wins integer, clicks integer,
           value double precision, "expectedMicros" bigint, "chargedMicros" bigint, base text,
           trial text, share double precision, "baseMultiplier" double precision,
           "trialMultiplier" double precision, "baseLift" double precision,
           "trialLift" double precision)
    on conflict do nothing`)
}

/** A day's windows, earliest first. */
export async function listWindows(
  db: Database,
  { campaignKey, day }: CampaignDay,
): Promise<WindowRow[]> {
  const { rows } = await db.execute<Row<WindowRow>>(sql`
    select "window", starts_at as "startsAt", requests, wins, clicks, value,
           expected_micros::float8 as "expectedMicros", charged_micros::float8 as "chargedMicros",
           base, trial, share, base_multiplier as "baseMultiplier",
           trial_multiplier as "trialMultiplier", base_lift as "baseLift", trial_lift as "trialLift"
      from bid_agent_windows where campaign_id = ${campaignKey} and day = ${day}::date
     order by "window" limit 200`)
  return rows.map((row) => ({
    ...row,
    trial: row.trial ?? undefined,
    startsAt: new Date(row.startsAt),
  }))
}

export async function addPastDay(
  db: Database,
  campaignKey: number,
  { day, auctions, sampledShare, deliveredShare, spentMicros, conversionRates }: KeptDay,
): Promise<void> {
  await db.execute(sql`
    insert into bid_agent_days (campaign_id, day, auctions, sampled_share, delivered_share,
           spent_micros, records, conversion_rates)
    values (${campaignKey}, ${day}::date, ${auctions.count}, ${sampledShare}, ${deliveredShare},
            ${spentMicros === undefined ? null : Math.round(spentMicros)}, ${packAuctions(auctions)},
            ${conversionRates ? packRates(conversionRates) : null})
    on conflict (campaign_id, day) do update
       set auctions = excluded.auctions, sampled_share = excluded.sampled_share,
           records = excluded.records, conversion_rates = excluded.conversion_rates
     where excluded.auctions > 0 and excluded.conversion_rates is not null
       and bid_agent_days.conversion_rates is null`)
}

/** Past days from one on, oldest first. Days without an auction are present and empty. */
export async function listPastDays(
  db: Database,
  { campaignKey, day: from }: CampaignDay,
): Promise<KeptDay[]> {
  const { rows } = await db.execute(sql`
    select day::text, sampled_share, delivered_share, spent_micros::float8, records, conversion_rates
      from bid_agent_days
     where campaign_id = ${campaignKey} and day >= ${from}::date order by day limit 31`)
  return rows.map((row) => ({
    day: row['day'] as string,
    auctions: unpackAuctions(row['records'] as Buffer),
    sampledShare: row['sampled_share'] as number,
    deliveredShare: row['delivered_share'] as number,
    spentMicros: (row['spent_micros'] as number | null) ?? undefined,
    conversionRates: ratesIn(row['conversion_rates'] as Buffer | null),
  }))
}

const ratesIn = (bytes: Buffer | null) => (bytes === null ? undefined : unpackRates(bytes))

/** The kept days, as `campaign day`; of some campaigns only those with conversion rates. */
export async function listKeptDays(
  db: Database,
  campaignKeys: readonly number[],
  withRates: readonly number[] = [],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ kept: string }>(sql`
    select campaign_id || ' ' || day as kept from bid_agent_days
     where campaign_id = any (${`{${campaignKeys.join()}}`}::bigint[])
       and (conversion_rates is not null
            or not campaign_id = any (${`{${withRates.join()}}`}::bigint[]))`)
  return new Set(rows.map(({ kept }) => kept))
}

/** Deletes what is no longer replayed. Returns the number of rows. */
export async function trimAgents(db: Database, before: string): Promise<number> {
  const days = await db.execute(sql`delete from bid_agent_days where day < ${before}::date`)
  const windows = await db.execute(sql`delete from bid_agent_windows where day < ${before}::date`)
  return (days.rowCount ?? 0) + (windows.rowCount ?? 0)
}
