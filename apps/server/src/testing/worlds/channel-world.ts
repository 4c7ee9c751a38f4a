import { onTestFinished } from 'vitest'
import { openJobs } from '../../platform/jobs/open.ts'
import { systemRandom } from '../../platform/random.ts'
import { openSecretBox } from '../../platform/secret-box.ts'
import { createRow, type Values } from '../../platform/resources/index.ts'
import { freshDatabase } from '../services/database.ts'
import { silentLog } from '../silent-log.ts'
import {
  addMarket,
  type Market,
  type MarketDeps,
  marketOn,
} from '../../capabilities/campaigns/testing.ts'
import { sellpage } from '../../capabilities/campaigns/index.ts'
import { backfillJob, syncStatsJob, tickJob } from '../../capabilities/channels/sync/jobs.ts'
import { mockProvider } from '../../capabilities/channels/providers/mock.ts'
import { onsiteProvider } from '../../capabilities/channels/providers/onsite.ts'
import { createConnection } from '../../capabilities/channels/connections/operations.ts'
import type { Providers, SyncDeps } from '../../capabilities/channels/sync/operations-sync.ts'

export const secretBox = openSecretBox('a secret for tests, long enough to encrypt', 'channels')

export interface Shop extends Market {
  readonly connectionId: string
  readonly sellpageId: string
  /** A campaign on another channel, with a daily budget of 100. */
  addRunning(body?: Values): Promise<string>
}

/** An advertiser with an ad account, a sellpage, and campaigns to add. */
export async function openShop(market: Market, its: Values = {}): Promise<Shop> {
  const { deps, actor, advertiserId } = market
  const body = {
    advertiserId,
    name: 'Main',
    connectionType: 'AD_ACCOUNT',
    provider: 'mock',
    ...its,
  }
  const made = await createConnection({ ...deps, secretBox, isMockAllowed: true }, { body, actor })
  const page = await createRow(deps, sellpage, {
    body: { advertiserId, name: 'Shoes', url: 'https://shop.example/shoes' },
    actor,
  })
  const connectionId = String(made.publicId)
  const sellpageId = String(page.publicId)
  const channel = body.provider === 'onsite' ? 'onsite' : 'meta'
  return {
    ...market,
    connectionId,
    sellpageId,
    async addRunning(body = {}) {
      const fields = { channel, connectionId, sellpageId, budgetDailyMicros: '100000000', ...body }
      const id = await market.addCampaign(fields)
      await deps.db.execute(`update campaigns set status = 'active' where public_id = '${id}'`)
      return id
    },
  }
}

export interface ChannelWorld {
  readonly deps: MarketDeps
  readonly syncing: SyncDeps
  readonly shop: Shop
  readonly url: string
  readonly connection: Awaited<ReturnType<typeof freshDatabase>>
  addShop(its?: Values): Promise<Shop>
}

export async function aChannelWorld(
  its: Values = {},
  providers: Partial<Providers> = {},
): Promise<ChannelWorld> {
  const connection = await freshDatabase()
  const market = await marketOn(connection)
  const { deps } = market
  const { db, clock } = deps
  const all = {
    mock: mockProvider,
    onsite: onsiteProvider({ db }),
    meta: mockProvider,
    ...providers,
  }
  return {
    deps,
    connection,
    url: connection.url,
    syncing: { db, clock, secretBox, providers: all },
    shop: await openShop(market, its),
    addShop: async (its) => openShop(await addMarket(deps), its),
  }
}

/** A sync as it is queued. */
export interface QueuedSync {
  readonly id: string
  readonly payload: Parameters<typeof syncStatsJob.run>[0]
  readonly delaySeconds: number
}

const UNOBSERVED = { started: () => {}, succeeded: () => {}, failed: () => {} }

/** The real queue of a channel world, and what it contains. */
export async function openQueue({ deps: { db }, url }: ChannelWorld, role: 'enqueuer' | 'worker') {
  const jobs = await openJobs({
    db,
    url,
    role,
    config: {},
    log: silentLog(),
    random: systemRandom,
    jobs: [syncStatsJob, backfillJob, tickJob] as never,
    observer: UNOBSERVED,
  })
  onTestFinished(() => jobs.stop())
  const seen = new Set<string>()
  return {
    jobs,
    /** Syncs ordered since the last call, in order. */
    async listNew(): Promise<QueuedSync[]> {
      const { rows } = await db.execute(`
        select id, data as payload, round(extract(epoch from start_after - created_on))::int as "delaySeconds"
          from pgboss.job where name = '${syncStatsJob.name}' order by id`)
      const fresh = (rows as unknown as QueuedSync[]).filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      return fresh
    },
  }
}
