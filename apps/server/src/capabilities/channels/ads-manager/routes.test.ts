import { afterEach, expect, test, vi } from 'vitest'
import { JOBS } from '../../../compose/jobs.ts'
import { bindJob } from '../../../platform/jobs/job.ts'
import { openJobs } from '../../../platform/jobs/open.ts'
import { systemRandom } from '../../../platform/random.ts'
import { addKey, addUser, signInAs, startServerOn } from '../../../testing/server.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { syncStatsJob } from '../sync/jobs.ts'
import { syncLevel } from '../sync/operations-sync.ts'
import { LEVELS, type StatProvider } from '../providers/stat.ts'
import {
  aChannelWorld,
  type ChannelWorld,
  type Shop,
} from '../../../testing/worlds/channel-world.ts'

const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }
const TODAY = '2026-06-15'

/** The API on a real queue, and a worker that can be started on it. */
async function anAdsManager() {
  const world = await aChannelWorld()
  const { deps, url } = world
  const open = async (role: 'enqueuer' | 'worker') => {
    const given = { db: deps.db, url, log: silentLog(), random: systemRandom }
    const jobs = await openJobs({
      ...given,
      config: {},
      role,
      jobs: JOBS,
      observer: unobserved,
    })
    onTestEnd(() => jobs.stop())
    return jobs
  }
  const jobs = await open('enqueuer')
  const server = await startServerOn(world.connection, { deps, jobs })
  const scopes = ['channels:read', 'channels:write']
  const callerFor = async (shop: Shop) => {
    const { rows } = await deps.db.execute(
      `select a.id, a.public_id from accounts a join advertisers v on v.account_id = a.id
        where v.public_id = '${shop.advertiserId}'`,
    )
    const account = {
      id: BigInt(rows[0]!['id'] as string),
      publicId: rows[0]!['public_id'] as string,
    }
    const headers = await addKey({ deps }, { account, scopes })
    return {
      post: (path: string, payload?: object) =>
        server.http.inject({
          method: 'POST',
          url: `/api/v1/ads-manager${path}`,
          headers,
          ...(payload && { payload }),
        }),
      get: async (path: string) => {
        const answer = await server.http.inject({ url: `/api/v1/ads-manager${path}`, headers })
        return answer.json<Listed>()
      },
    }
  }
  return { world, server, jobs, callerFor, caller: await callerFor(world.shop), open }
}

interface Listed {
  readonly code?: string
  readonly rows: readonly Record<string, unknown>[]
  readonly summary: readonly Record<string, unknown>[]
  readonly meta: { readonly nextCursor?: string }
}

const endings: (() => Promise<void>)[] = []
const onTestEnd = (end: () => Promise<void>) => void endings.push(end)
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

test('a sync is ordered as three jobs, which a worker runs', async () => {
  const { world, caller, open } = await anAdsManager()
  await world.shop.addAd(await world.shop.addRunning())

  const answer = await caller.post('/sync')

  expect(answer.statusCode).toBe(202)
  const { enqueued, jobIds } = answer.json<{ enqueued: number; jobIds: string[] }>()
  expect([enqueued, new Set(jobIds).size]).toEqual([3, 3])
  const worker = await open('worker')
  await worker.work([bindJob(syncStatsJob, { ...world.syncing, jobs: worker })])
  await vi.waitFor(
    async () => {
      const { rows } = await world.deps.db.execute(
        'select entity_type from ad_stats_daily order by 1',
      )
      expect(rows).toEqual([
        { entity_type: 'AD' },
        { entity_type: 'ADSET' },
        { entity_type: 'CAMPAIGN' },
      ])
    },
    { timeout: 10_000 },
  )
})

test('running jobs are named again, and afterwards a sync is allowed once a minute', async () => {
  const { world, caller } = await anAdsManager()
  await world.shop.addRunning()
  const first = (await caller.post('/sync', {})).json<{ jobIds: string[] }>()

  const again = await caller.post('/sync', {})
  expect([again.statusCode, again.json()]).toEqual([202, { enqueued: 0, jobIds: first.jobIds }])

  await world.deps.db.execute(`update channel_syncs set state = 'succeeded'`)
  world.deps.clock.advance(20)
  const soon = await caller.post('/sync', {})
  expect([soon.statusCode, soon.headers['retry-after']]).toEqual([429, '40'])
  world.deps.clock.advance(40)
  expect((await caller.post('/sync', {})).json()).toMatchObject({ enqueued: 3 })
})

test('a sync needs a sign-in, a valid day and an advertiser of the caller', async () => {
  const { world, server, caller, callerFor } = await anAdsManager()
  const other = await world.addShop()
  const theirs = await callerFor(other)
  const url = '/api/v1/ads-manager/sync'

  const stranger = await server.http.inject({ method: 'POST', url, payload: {} })
  const nonsense = await caller.post('/sync', { date: '2026-02-30' })
  const tomorrow = await caller.post('/sync', { date: '2026-06-16' })
  const foreign = await caller.post('/sync', { advertiserId: other.advertiserId })
  await theirs.post('/sync', { date: '2026-06-10' })

  expect(stranger.statusCode).toBe(401)
  expect([nonsense.statusCode, tomorrow.statusCode, foreign.statusCode]).toEqual([400, 400, 404])
  const { rows } = await world.deps.db.execute(
    `select data from pgboss.job where name = 'channels.sync-stats'`,
  )
  const requested = rows.map(({ data }) => data as { advertiserId: string; dateFrom: string })
  expect(new Set(requested.map(({ advertiserId }) => advertiserId))).toEqual(
    new Set([other.advertiserId]),
  )
  expect(requested[0]).toMatchObject({ dateFrom: '2026-06-10' })
})

async function syncEverything({ syncing }: ChannelWorld, shops: readonly Shop[]) {
  const { signal } = new AbortController()
  for (const { advertiserId } of shops) {
    for (const level of LEVELS) {
      await syncLevel(syncing, { advertiserId, level, from: TODAY, to: TODAY }, signal)
    }
  }
}

test('campaigns, ad sets and ads are listed with figures and a summary over all matches', async () => {
  const { world, caller } = await anAdsManager()
  const ids = [await world.shop.addRunning(), await world.shop.addRunning({ name: 'Winter' })]
  await world.shop.addCampaign({ name: 'A draft' })
  const { adSetId, adId } = await world.shop.addAd(ids[0]!)
  await syncEverything(world, [world.shop])

  const all = await caller.get('/campaigns')
  const page = await caller.get('/campaigns?limit=1&delivery=delivering')
  const rest = await caller.get(`/campaigns?delivery=delivering&cursor=${page.meta.nextCursor}`)
  const found = await caller.get('/campaigns?search=wint')
  const adSets = await caller.get(`/adsets?campaignId=${ids[0]}`)
  const ads = await caller.get(`/ads?adSetId=${adSetId}`)

  expect(all.rows).toHaveLength(3)
  const sum = (field: string) => all.rows.reduce((sum, row) => sum + Number(row[field]), 0)
  const [total] = all.summary
  expect(total).toMatchObject({ currency: 'EUR', rows: 3, impressions: sum('impressions') })
  expect(Number(total!['spendMicros'])).toBe(sum('spendMicros'))
  expect(total!['ctr']).toBe(Math.round((sum('clicks') / sum('impressions')) * 10_000) / 100)
  expect([...page.rows, ...rest.rows].map(({ id }) => id)).toEqual(ids.toReversed())
  expect(page.summary).toEqual(rest.summary)
  expect(found.rows).toMatchObject([{ name: 'Winter', connectionId: world.shop.connectionId }])
  expect(adSets.rows).toMatchObject([{ id: adSetId, campaignId: ids[0] }])
  expect(ads.rows).toMatchObject([{ id: adId, adSetId }])
  expect(Number(ads.rows[0]!['impressions'])).toBeGreaterThan(0)
})

test('an advertiser sees its own figures only, and no parts of other advertisers’ campaigns', async () => {
  const { world, caller } = await anAdsManager()
  const other = await world.addShop()
  const theirs = await other.addRunning()
  const own = await world.shop.addRunning()
  await syncEverything(world, [world.shop, other])

  const listed = await caller.get('/campaigns')

  expect(listed.rows.map(({ id }) => id)).toEqual([own])
  expect(listed.summary).toMatchObject([{ rows: 1, spendMicros: listed.rows[0]!['spendMicros'] }])
  expect((await caller.get(`/adsets?campaignId=${theirs}`)).code).toBe('CAMPAIGN_NOT_FOUND')
  expect((await caller.get('/adsets')).code).toBe('INVALID_REQUEST')
})

test('the user who requested a sync sees its result, and nobody else does', async () => {
  const { world, caller, callerFor, open } = await anAdsManager()
  await world.shop.addAd(await world.shop.addRunning())
  const stranger = await callerFor(await world.addShop())
  const { jobIds } = (await caller.post('/sync')).json<{ jobIds: string[] }>()

  expect(await caller.get(`/sync/${jobIds[0]}`)).toMatchObject({
    jobId: jobIds[0],
    level: 'CAMPAIGN',
    state: 'waiting',
    attempt: 1,
  })
  expect((await stranger.get(`/sync/${jobIds[0]}`)).code).toBe('SYNC_NOT_FOUND')

  const worker = await open('worker')
  await worker.work([bindJob(syncStatsJob, { ...world.syncing, jobs: worker })])
  await vi.waitFor(
    async () => {
      const states = await Promise.all(jobIds.map((id) => caller.get(`/sync/${id}`)))
      expect(states).toMatchObject([
        { state: 'succeeded', rawInserted: 1, sellpageUpserted: 1 },
        { state: 'succeeded', dailyUpserted: 1 },
        { state: 'succeeded', dailyUpserted: 1 },
      ])
    },
    { timeout: 10_000 },
  )
})

test('a new request brings forward the retry of a failed level', async () => {
  const { world, caller, jobs } = await anAdsManager()
  await world.shop.addRunning()
  let isBroken = true
  const mock: StatProvider = {
    ...world.syncing.providers.mock,
    async fetchStats(requested) {
      if (isBroken) throw new Error('no answer')
      return world.syncing.providers.mock.fetchStats(requested)
    },
  }
  const deps = { ...world.syncing, providers: { ...world.syncing.providers, mock }, jobs }
  const context = { log: silentLog(), signal: new AbortController().signal, progress: () => {} }
  const order = async () => {
    const [syncId] = (await caller.post('/sync')).json<{ jobIds: string[] }>().jobIds
    const { advertiserId } = world.shop
    const days = { dateFrom: TODAY, dateTo: TODAY, level: 'CAMPAIGN' as const }
    return { advertiserId, ...days, attempt: 1, syncId: syncId! }
  }
  const first = await order()
  await syncStatsJob.run(first, deps, context)
  expect(await caller.get(`/sync/${first.syncId}`)).toMatchObject({
    state: 'waiting',
    failure: 'no answer',
    nextTryAt: '2026-06-15T12:01:00.000Z',
  })

  isBroken = false
  world.deps.clock.advance(61)
  await world.deps.db.execute(`update channel_syncs set due_at = due_at + interval '15 minutes'`)
  const second = await order()
  await syncStatsJob.run(second, deps, context)
  await syncStatsJob.run({ ...first, attempt: 2 }, deps, context)

  expect(await caller.get(`/sync/${second.syncId}`)).toMatchObject({ state: 'succeeded' })
  expect(await caller.get(`/sync/${first.syncId}`)).toMatchObject({ state: 'replaced' })
})

test('platform users sync a chosen advertiser, or all with an ad account', async () => {
  const { world, server } = await anAdsManager()
  const other = await world.addShop()
  await world.addShop({ connectionType: 'PAGE' })
  const operator = await addUser(world.deps, 'operator')
  const { headers } = await signInAs(server, operator.email)
  const sync = async (payload: object) => {
    const url = '/api/v1/ads-manager/sync'
    await server.http.inject({ method: 'POST', url, headers, payload })
    const { rows } = await world.deps.db.execute(`
      select a.public_id from channel_syncs s join advertisers a on a.id = s.advertiser_id
       group by 1 order by 1`)
    return rows.map(({ public_id: id }) => id)
  }

  expect(await sync({ advertiserId: other.advertiserId })).toEqual([other.advertiserId])
  expect(await sync({})).toEqual([world.shop.advertiserId, other.advertiserId].toSorted())
})

test('sellpages are listed by source with their rates, per currency, and only to their advertiser', async () => {
  const { world, caller, callerFor, server } = await anAdsManager()
  const other = await world.addShop()
  await world.shop.addRunning()
  await world.shop.addRunning()
  await other.addRunning()
  await syncEverything(world, [world.shop, other])
  const { rows: days } = await world.deps.db.execute(
    `select * from sellpage_stats_daily where advertiser_id =
       (select id from advertisers where public_id = '${world.shop.advertiserId}')`,
  )

  const listed = await caller.get('/sellpages')
  const byDay = await caller.get(`/sellpages?by=day&sellpageId=${world.shop.sellpageId}`)

  expect(days).toHaveLength(1)
  expect(listed.rows).toMatchObject([
    {
      sellpageId: world.shop.sellpageId,
      name: 'Shoes',
      adSource: 'META',
      currency: 'EUR',
      date: null,
      adSpendMicros: days[0]!['ad_spend_micros'],
      revenueMicros: days[0]!['revenue_micros'],
      cr1: Number(days[0]!['cr1']),
      cr2: Number(days[0]!['cr2']),
      cr3: Number(days[0]!['cr3']),
      roas: Number(days[0]!['roas']),
    },
  ])
  expect(listed.summary).toMatchObject([
    { currency: 'EUR', rows: 1, roas: listed.rows[0]!['roas'] },
  ])
  expect(byDay.rows).toMatchObject([{ date: TODAY }])
  expect((await caller.get('/sellpages?adSource=ONSITE')).rows).toEqual([])
  expect((await caller.get('/sellpages?to=0001-01-01')).code).toBe('INVALID_REQUEST')
  expect((await (await callerFor(other)).get('/sellpages')).rows).toMatchObject([
    { sellpageId: other.sellpageId },
  ])
  const operator = await addUser(world.deps, 'operator')
  const { headers } = await signInAs(server, operator.email)
  const csv = await server.http.inject({ url: '/api/v1/ads-manager/sellpages/export', headers })
  expect(csv.headers['content-disposition']).toBe(
    'attachment; filename="sellpages_2026-06-09_2026-06-15.csv"',
  )
  expect(csv.body.split('\r\n')[0]).toContain('Sellpage,Address,Source,Day,Currency,Spend')
  expect(csv.body.trimEnd().split('\r\n')).toHaveLength(3)
})
