import { expect, test } from 'vitest'
import { tickJob } from './sync/jobs.ts'
import { isTicking } from './module.ts'
import { healthRoutes } from '../../platform/http/health.ts'
import { createHttp } from '../../platform/http/server.ts'
import { aChannelWorld, openQueue } from '../../testing/worlds/channel-world.ts'
import { silentLog } from '../../testing/silent-log.ts'

test('a worker without a tick for 15 minutes is unhealthy, except in its first 15 minutes', async () => {
  const world = await aChannelWorld()
  const { deps, syncing } = world
  const { clock, ids } = deps
  const http = await createHttp({
    log: silentLog(),
    ids,
    trustedProxies: [],
    permitsPerMinute: 1_000,
    identify: async () => undefined,
  })
  let isQueueThere = true
  healthRoutes(http, {
    isReady: () => true,
    facts: () => ({ queue: 'stats-sync', uptime: 7 }),
    probes: { channels: isTicking({ db: deps.db, clock }), queue: async () => isQueueThere },
  })
  const ask = async () => (await http.inject({ url: '/health' })).statusCode
  const log = silentLog()
  const context = { log, signal: new AbortController().signal, progress: () => {} }
  const { jobs } = await openQueue(world, 'enqueuer')
  const tick = () => tickJob.run({}, { ...syncing, jobs }, context)

  expect((await http.inject({ url: '/health' })).json()).toMatchObject({
    status: 'ok',
    queue: 'stats-sync',
    uptime: 7,
  })
  clock.advance(16 * 60)
  expect(await ask()).toBe(503)
  await tick()
  expect(await ask()).toBe(200)
  clock.advance(16 * 60)
  expect(await ask()).toBe(503)
  await tick()
  isQueueThere = false
  expect(await ask()).toBe(503)
})
