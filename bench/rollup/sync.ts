import {
  mockProvider,
  onsiteProvider,
  syncStatsJob,
  tickJob,
} from '../../apps/server/src/capabilities/channels/index.ts'
import { bindJob } from '../../apps/server/src/platform/jobs/job.ts'
import { openJobs } from '../../apps/server/src/platform/jobs/open.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { connect } from '../../apps/server/src/platform/database/connect.ts'
import { openSecretBox } from '../../apps/server/src/platform/secret-box.ts'
import { rounded, type Scratch, say } from '../scratch.ts'

const LEVELS = 3
const CONNECTIONS = 12

/** One tick for many advertisers, each with a campaign, an ad set and an ad, through the real queue. */
export async function measureSync({ url }: Pick<Scratch, 'url'>, advertisers: number) {
  const { db, pool, close } = connect({
    url,
    connectionsMax: CONNECTIONS,
    statementTimeoutMs: 60_000,
  })
  await pool.query(catalogue(advertisers))
  const total = advertisers * LEVELS
  let done = 0
  const { promise: allDone, resolve } = Promise.withResolvers<void>()
  const succeeded = () => {
    done += 1
    if (done === total) resolve()
  }
  const observer = { started: () => {}, succeeded, failed: () => {} }
  const log = { info: () => {}, warn: () => {}, error: sayFailure }
  const clock = systemClock(0)
  const jobs = await openJobs({
    config: {},
    db,
    url,
    log,
    random: systemRandom,
    role: 'worker',
    jobs: [syncStatsJob, tickJob] as never,
    observer,
  })
  const providers = { mock: mockProvider, onsite: onsiteProvider({ db }), meta: mockProvider }
  const deps = { db, clock, secretBox: openSecretBox('bench', 'channels'), providers, jobs }
  const context = { log, progress: () => {}, signal: new AbortController().signal }
  const began = performance.now()
  const cpuBefore = process.cpuUsage()
  const seconds = () => (performance.now() - began) / 1_000

  await jobs.work([bindJob(syncStatsJob, deps)])
  await tickJob.run({}, deps, context)
  const orderSeconds = rounded(seconds())
  say(`Ordered ${total} syncs in ${orderSeconds} s, ${done} of them done`)
  await allDone
  const syncSeconds = rounded(seconds())
  const { user, system } = process.cpuUsage(cpuBefore)
  await jobs.stop()
  const { rows } = await pool.query('select count(*)::int as days from ad_stats_daily')
  await close()
  return {
    syncSeconds,
    syncOrderSeconds: orderSeconds,
    syncAdvertisers: advertisers,
    syncDays: rows[0].days as number,
    syncCpuMsPerJob: rounded((user + system) / 1_000 / total, 2),
  }
}

const sayFailure = (fields: object) => say(JSON.stringify(fields))

const catalogue = (advertisers: number) => `
  with account as (
    insert into accounts (public_id, kind, name, created_at, updated_at)
    values (gen_random_uuid(), 'advertiser', 'sync', now(), now()) returning id
  ), buyers as (
    insert into advertisers (public_id, account_id, name, currency, created_at, updated_at)
    select gen_random_uuid(), account.id, 'sync ' || n, 'EUR', now(), now()
      from account, generate_series(1, ${advertisers}) n returning id, account_id
  ), pages as (
    insert into sellpages (public_id, account_id, advertiser_id, name, url, created_at, updated_at)
    select gen_random_uuid(), account_id, id, 'page', 'https://shop.example', now(), now() from buyers
    returning id, advertiser_id
  ), connections as (
    insert into channel_connections (public_id, account_id, advertiser_id, name, connection_type, provider,
                                     created_at, updated_at)
    select gen_random_uuid(), account_id, id, 'main', 'AD_ACCOUNT', 'mock', now(), now() from buyers
    returning id, advertiser_id
  ), running as (
    insert into campaigns (public_id, account_id, advertiser_id, sellpage_id, connection_id, name, status, channel,
                           budget_daily_micros, created_at, updated_at)
    select gen_random_uuid(), b.account_id, b.id, p.id, c.id, 'sync', 'active', 'meta', 100000000, now(), now()
      from buyers b join connections c on c.advertiser_id = b.id join pages p on p.advertiser_id = b.id
    returning id, account_id, advertiser_id
  ), banner as (
    insert into banners (public_id, account_id, advertiser_id, title, primary_image_url, created_at, updated_at)
    select gen_random_uuid(), account_id, advertiser_id, 'b', 'https://shop.example/b.png', now(), now()
      from running limit 1 returning id
  ), sets as (
    insert into ad_sets (public_id, account_id, campaign_id, name, created_at, updated_at)
    select gen_random_uuid(), account_id, id, 'set', now(), now() from running returning id, account_id, campaign_id
  )
  insert into ads (public_id, account_id, campaign_id, ad_set_id, banner_id, name, bid_micros, created_at, updated_at)
  select gen_random_uuid(), s.account_id, s.campaign_id, s.id, banner.id, 'ad', 1000000, now(), now()
    from sets s, banner`
