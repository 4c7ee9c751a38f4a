import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import type { CloudEvent } from '../../../platform/outbox/event.ts'
import { freshRedis } from '../../../testing/services/redis.ts'
import { redisSink } from './redis-sink.ts'

async function startRedis() {
  const { url } = await freshRedis()
  const redis = new Redis(url)
  onTestFinished(() => redis.disconnect())
  return { url, redis }
}

const eventNamed = (id: string): CloudEvent => ({
  specversion: '1.0',
  id,
  source: 'urn:placard:test',
  type: 'campaign.state-changed.v1',
  subject: 'campaign-1',
  time: '2026-06-15T12:00:00.000Z',
  datacontenttype: 'application/json',
  data: { to: 'active' },
})

function sinkTo(url: string, lengthMax = 1_000) {
  const stream = 'placard:events'
  const sink = redisSink({ url, password: undefined, stream, lengthMax, onError: () => {} })
  onTestFinished(() => sink.close())
  return (ids: readonly string[]) => sink.deliver(ids.map(eventNamed), AbortSignal.timeout(5_000))
}

test('events are appended to the stream in order, with the fields that consumers filter by', async () => {
  const { url, redis } = await startRedis()

  await sinkTo(url)(['a', 'b', 'c'])

  const entries = await redis.xrange('placard:events', '-', '+')
  expect(entries.map(([, fields]) => fields[1])).toEqual(['a', 'b', 'c'])
  const [, fields] = entries[0]!
  expect(fields.slice(0, 6)).toEqual([
    'id',
    'a',
    'type',
    'campaign.state-changed.v1',
    'subject',
    'campaign-1',
  ])
  expect(JSON.parse(fields[7]!)).toEqual(eventNamed('a'))
})

test('the stream keeps about its maximum number of events', async () => {
  const { url, redis } = await startRedis()
  const ids = Array.from({ length: 5_000 }, (_, n) => `${n}`)

  await sinkTo(url, 1_000)(ids)

  const length = await redis.xlen('placard:events')
  expect(length).toBeGreaterThanOrEqual(1_000)
  expect(length).toBeLessThan(1_500)
})

test('if Redis refuses, the delivery fails and is repeated', async () => {
  const { url, redis } = await startRedis()
  await redis.set('placard:events', 'no stream')

  await expect(sinkTo(url)(['a'])).rejects.toThrow('WRONGTYPE')
})
