import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import type { OutboxEvent } from '../../../platform/outbox/event.ts'
import { appendEvents } from '../../../platform/outbox/store.ts'
import { replayEndpoint } from '../webhooks/operations.ts'
import { aWebhookWorld, startReceiver } from '../testing.ts'

type World = Awaited<ReturnType<typeof aWebhookWorld>>

const eventsOf = ({ deps }: World, subject: string, count: number): OutboxEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    id: deps.ids.next(),
    type: 'campaign.state-changed.v1',
    subject,
    time: deps.clock.now(),
    data: { n },
  }))

const namesOf = (taken: readonly { type: string; subject: string; data: unknown }[]) =>
  taken
    .filter(({ type }) => type === 'campaign.state-changed.v1')
    .map(({ subject, data }) => `${subject} ${(data as { n: number }).n}`)

const eventually = (look: () => Promise<void> | void) =>
  vi.waitFor(look, { timeout: 10_000, interval: 10 })

const statuses = async ({ db }: World) =>
  (
    await db.execute<{ status: string; count: number }>(
      sql`select status, count(*)::int as count from webhook_deliveries group by 1 order by 1`,
    )
  ).rows

test('a new endpoint gets a greeting and every subscribed event from its creation on, signed', async () => {
  const world = await aWebhookWorld()
  const { url, calls, taken } = await startReceiver()
  const { secret } = await world.addEndpoint(url)
  await appendEvents(world.db, [
    ...eventsOf(world, 'a', 2),
    { ...eventsOf(world, 'a', 1)[0]!, type: 'budget.exhausted.v1' },
  ])
  world.deps.clock.moveTo(new Date().toISOString())

  world.start()

  // The greeting has another subject, so it is sent in parallel with the first of the others.
  await eventually(() => expect(taken).toHaveLength(3))
  expect(namesOf(taken)).toEqual(['a 0', 'a 1'])
  expect(taken.map(({ type }) => type).toSorted()).toEqual([
    'campaign.state-changed.v1',
    'campaign.state-changed.v1',
    'webhook.endpoint-created.v1',
  ])
  for (const { body, headers } of calls) {
    new Webhook(secret).verify(body, headers as Record<string, string>)
  }
})

test('a failed event is tried again after a pause, and the later events of its campaign wait', async () => {
  const world = await aWebhookWorld()
  let failures = 1
  const { url, calls, taken } = await startReceiver(({ event }) =>
    event.subject === 'a' && failures-- > 0 ? 500 : 204,
  )
  await world.addEndpoint(url)
  await appendEvents(world.db, [...eventsOf(world, 'a', 3), ...eventsOf(world, 'b', 3)])
  world.start()
  await eventually(() => expect(namesOf(taken)).toEqual(['b 0', 'b 1', 'b 2']))
  expect(namesOf(calls.map(({ event }) => event)).filter((name) => name.startsWith('a'))).toEqual([
    'a 0',
  ])
  await eventually(() => expect(world.tried).toContain('failed'))

  world.deps.clock.advance(7)

  await eventually(() => expect(taken).toHaveLength(7))
  expect(namesOf(taken).slice(3)).toEqual(['a 0', 'a 1', 'a 2'])
})

test('an event refused too often becomes a dead letter, and the next of its campaign is sent', async () => {
  const world = await aWebhookWorld({ attemptsMax: 2 })
  const { url, taken } = await startReceiver(({ event }) =>
    (event.data as { n?: number }).n === 0 ? 500 : 204,
  )
  await world.addEndpoint(url)
  await appendEvents(world.db, eventsOf(world, 'a', 2))
  world.start()
  await eventually(() => expect(world.tried).toContain('failed'))

  world.deps.clock.advance(7)

  await eventually(() => expect(namesOf(taken)).toEqual(['a 1']))
  await eventually(async () =>
    expect(await statuses(world)).toEqual([
      { status: 'dead', count: 1 },
      { status: 'delivered', count: 2 },
    ]),
  )
  expect(world.tried.filter((result) => result === 'dead')).toHaveLength(1)
})

test('dead letters are sent again on a replay', async () => {
  const world = await aWebhookWorld({ attemptsMax: 1 })
  let isSick = true
  const { url, taken } = await startReceiver(() => (isSick ? 503 : 204))
  const { record } = await world.addEndpoint(url)
  await appendEvents(world.db, eventsOf(world, 'a', 2))
  world.start()
  await eventually(async () =>
    expect(await statuses(world)).toEqual([{ status: 'dead', count: 3 }]),
  )

  isSick = false
  const target = {
    publicId: String(record.publicId),
    actor: world.actor,
    expectedVersion: undefined,
  }
  const replayed = await replayEndpoint(world.deps, { ...target, body: { status: 'dead' } })

  expect(replayed).toBe(3)
  await eventually(() => expect(namesOf(taken)).toEqual(['a 0', 'a 1']))
})

test('an endpoint that never answers delays no other', async () => {
  const world = await aWebhookWorld()
  const hanging = await startReceiver(() => new Promise<number>(() => {}))
  const well = await startReceiver()
  await world.addEndpoint(hanging.url)
  await world.addEndpoint(well.url)
  world.start()
  await eventually(() => expect(hanging.calls).toHaveLength(1))

  await appendEvents(world.db, eventsOf(world, 'a', 50))

  await eventually(() => expect(namesOf(well.taken)).toHaveLength(50))
  expect(hanging.taken).toEqual([])
})

test('an endpoint that is gone for good is switched off, with the reason', async () => {
  const world = await aWebhookWorld()
  const { url, calls } = await startReceiver(() => 410)
  await world.addEndpoint(url)
  world.start()

  await eventually(() => expect(world.switchedOff).toEqual(['The endpoint answered 410 Gone']))

  const { rows } = await world.db.execute(sql`select is_active, rest_reason from webhook_endpoints`)
  expect(rows).toEqual([{ is_active: false, rest_reason: 'The endpoint answered 410 Gone' }])
  expect(calls).toHaveLength(1)
})

test('a dispatcher continues where the last one stopped, and nothing is lost in between', async () => {
  const world = await aWebhookWorld()
  const { url, taken } = await startReceiver()
  await world.addEndpoint(url)
  const first = world.start()
  await appendEvents(world.db, eventsOf(world, 'a', 5))
  await eventually(() => expect(namesOf(taken)).toHaveLength(5))
  await first.stop()
  await appendEvents(world.db, eventsOf(world, 'b', 5))

  world.start()

  await eventually(() => expect(namesOf(taken)).toHaveLength(10))
  expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length)
})

test('no secret is stored in clear text', async () => {
  const world = await aWebhookWorld()
  const { secret } = await world.addEndpoint('https://shop.example/hook')

  const { rows } = await world.db.execute<{ all: string }>(
    sql`select string_agg(e::text, '') || (select string_agg(a::text, '') from audit_log a) as all
          from webhook_endpoints e`,
  )
  expect(rows[0]!.all ?? '').not.toContain(secret.slice('whsec_'.length))
  expect(
    JSON.stringify(world.deps.audited, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  ).not.toContain(secret.slice('whsec_'.length))
})
