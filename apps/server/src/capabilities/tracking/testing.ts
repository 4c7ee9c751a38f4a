import { LOW_LOAD } from '../../platform/background/load.ts'
import type { Pool } from 'pg'
import { onTestFinished } from 'vitest'
import type { Ids } from '../../platform/ids.ts'
import { systemTimers } from '../../platform/background/timers.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { addAccount, depsOn, type TestDeps } from '../../testing/world.ts'
import { type EventKind, eventIdOf, markOf, type TrackedEvent, utcDayOf } from './intake/event.ts'
import { createIngest, type IngestDeps } from './intake/ingest.ts'
import { createSettler, openIngestPool } from './settlement/settler.ts'
import { openThreadedSettler, type ThreadedSettlerDeps } from './settlement/threaded-settler.ts'

/** An advertiser on the test's own database. */
export async function aMarket(advertiserDailyMicros?: bigint) {
  const connection = await freshDatabase()
  const deps = depsOn(connection)
  const account = await addAccount(deps, 'advertiser')
  const { rows } = await connection.pool.query(
    `insert into advertisers (public_id, account_id, name, currency, time_zone, budget_daily_micros,
                              created_at, updated_at)
     values ($1, $2, 'Northwind', 'EUR', 'Europe/Berlin', $3, now(), now()) returning id`,
    [deps.ids.next(), account.id, advertiserDailyMicros ?? null],
  )
  const advertiserKey = Number(rows[0].id)
  const pool = openIngestPool(connection.url, 8)
  onTestFinished(() => pool.end())
  return { ...connection, deps, ingestPool: pool, accountId: account.id, advertiserKey }
}

export type Market = Awaited<ReturnType<typeof aMarket>>

interface Budgets {
  readonly dailyMicros?: bigint
  readonly totalMicros?: bigint
}

export async function addCampaign(market: Market, budgets: Budgets = {}): Promise<number> {
  const { rows } = await market.pool.query(
    `insert into campaigns (public_id, account_id, advertiser_id, name, budget_daily_micros,
                            budget_total_micros, created_at, updated_at)
     values ($1, $2, $3, 'Autumn', $4, $5, now(), now()) returning id`,
    [
      market.deps.ids.next(),
      market.accountId,
      market.advertiserKey,
      budgets.dailyMicros ?? null,
      budgets.totalMicros ?? null,
    ],
  )
  return Number(rows[0].id)
}

/** An ad of the campaign, with its own banner. */
export async function addAd(market: Market, campaignKey: number) {
  const { pool, deps, accountId, advertiserKey } = market
  const publicId = deps.ids.next()
  const { rows } = await pool.query(
    `with banner as (
       insert into banners (public_id, account_id, advertiser_id, title, primary_image_url, created_at, updated_at)
       values (gen_random_uuid(), $2, $3, 'Leaves', 'https://cdn.example/leaves.png', now(), now()) returning id
     ), ad_set as (
       insert into ad_sets (public_id, account_id, campaign_id, name, created_at, updated_at)
       values (gen_random_uuid(), $2, $4, 'All', now(), now()) returning id
     )
     insert into ads (public_id, account_id, campaign_id, ad_set_id, banner_id, name, bid_micros, created_at, updated_at)
     select $1, $2, $4, ad_set.id, banner.id, 'Autumn ad', 1000000, now(), now() from banner, ad_set
     returning id, banner_id`,
    [publicId, accountId, advertiserKey, campaignKey],
  )
  return { publicId, key: Number(rows[0].id), bannerKey: Number(rows[0].banner_id) }
}

/** Each user may see the campaign three times in each of these windows. */
export async function addCaps(
  market: Market,
  campaignKey: number,
  windows: readonly string[],
): Promise<void> {
  await market.pool.query(
    `insert into frequency_caps (public_id, account_id, campaign_id, max_impressions_per_user,
                                 "window", created_at, updated_at)
     select gen_random_uuid(), $1, $2, 3, size, now(), now() from unnest($3::text[]) as size`,
    [market.accountId, campaignKey, windows],
  )
}

export type AnEvent = Partial<TrackedEvent> & { readonly kind?: EventKind }

/** Makes events of new decisions; the argument overrides fields. */
export function eventsOf({ deps, advertiserKey }: Pick<Market, 'deps' | 'advertiserKey'>) {
  return (overrides: AnEvent = {}): TrackedEvent => {
    const nowMs = deps.clock.now().getTime()
    const { kind = 'impression', decisionId = deps.ids.next(), position = 0, name } = overrides
    return {
      kind,
      decisionId,
      position,
      eventId: eventIdOf(decisionId, markOf(kind, name), position),
      decisionDay: utcDayOf(nowMs),
      budgetDay: utcDayOf(nowMs),
      source: 'ad',
      winnerKey: 1,
      bannerKey: 2,
      advertiserKey,
      placementKey: 3,
      occurredAtMs: nowMs,
      receivedAtMs: nowMs,
      clock: 'on-time',
      label: 'valid',
      pricing: 'cpm',
      chargeMicros: 1_000_000,
      ...overrides,
    }
  }
}

/** A step of the film that an impression shows. */
export const stepOf = (shown: TrackedEvent, name: string): TrackedEvent => ({
  ...shown,
  kind: 'progress',
  name,
  eventId: eventIdOf(shown.decisionId!, markOf('progress', name), shown.position),
})

export const settlerOn = ({
  ingestPool: pool,
  deps,
}: {
  ingestPool: Pool
  deps: TestDeps & { ids: Ids }
}) => createSettler({ pool, node: 'test', clock: deps.clock, ids: deps.ids })

/** The settler in its thread, as a node runs it. */
export function threadedSettlerOn(market: Market, overrides: Partial<ThreadedSettlerDeps> = {}) {
  const { url, ingestPool: pool, deps } = market
  const settler = openThreadedSettler({
    pool,
    url,
    node: 'test',
    connectionsMax: 4,
    clock: deps.clock,
    ...overrides,
  })
  onTestFinished(() => settler.close())
  return settler
}

/** A running ingest, stopped by the test or at its end. */
export function ingestOn(market: Market, overrides: Partial<IngestDeps> = {}) {
  const ingest = createIngest({
    settler: settlerOn(market),
    timers: systemTimers,
    load: LOW_LOAD,
    ...overrides,
  })
  onTestFinished(() => ingest.stop())
  return ingest
}

export async function countRows(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query(`select count(*)::integer as count from ${table}`)
  return rows[0].count
}

/** Spent millis of a campaign: its day, its advertiser's day and its lifetime. */
export async function booksOf(pool: Pool, campaignKey: number) {
  const { rows } = await pool.query(
    `select scope, (spent_micros * 1000 + remainder_millis)::float8 as millis from budget_days
      where scope = 'advertiser' or owner_id = $1
     union all
     select 'total', (spent_micros * 1000 + remainder_millis)::float8 from campaign_totals
      where campaign_id = $1`,
    [campaignKey],
  )
  return Object.fromEntries(rows.map(({ scope, millis }) => [scope, millis])) as Record<
    string,
    number
  >
}
