import fastify from 'fastify'
import { Registry } from 'prom-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { OverloadGuard, shedLoad } from './overload.ts'

const LIMITS = { waitingMax: 2, behindMsMax: 20, letInPerTick: 3 }

function aGuard() {
  const guard = new OverloadGuard(LIMITS)
  onTestFinished(() => guard.stop())
  return guard
}

/** Keeps the event loop from coming round. */
function blockLoop(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const loopTicks = (guard: OverloadGuard) =>
  vi.waitFor(() => expect(guard.behindMs()).toBeLessThan(LIMITS.behindMsMax), { interval: 1 })

describe('OverloadGuard', () => {
  test('lets everything in while the loop comes round', async () => {
    const guard = aGuard()
    await loopTicks(guard)

    expect(Array.from({ length: 10 }, () => guard.letsIn())).not.toContain(false)
  })

  test('a backlog is cut off once its requests have waited too long', () => {
    const guard = aGuard()

    blockLoop(60)

    const answers = Array.from({ length: 5 }, () => guard.letsIn())
    expect(answers).toEqual([true, true, true, false, false])
  })

  test('it recovers by itself', async () => {
    const guard = aGuard()
    blockLoop(60)
    for (let request = 0; request < 10; request++) guard.letsIn()

    await loopTicks(guard)

    expect(guard.letsIn()).toBe(true)
  })

  test('no more requests wait at the same time than may', async () => {
    const guard = aGuard()
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = [guard.whileWaiting(promise), guard.whileWaiting(promise)]

    expect(guard.letsIn()).toBe(false)
    resolve()
    await Promise.all(waiting)
    expect(guard.letsIn()).toBe(true)
  })

  test('what fails waits no longer', async () => {
    const guard = aGuard()

    const failing = guard.whileWaiting(Promise.reject(new Error('no')))

    await expect(failing).rejects.toThrow('no')
    expect(guard.letsIn()).toBe(true)
  })
})

test('a route that sheds load answers 503 at once, other routes go on', async () => {
  const http = fastify()
  const registry = new Registry()
  shedLoad(http, registry, { waitingMax: 0, behindMsMax: 0, letInPerTick: 0 })
  const seen: string[] = []
  http.get('/ads', { config: { shedsLoad: true } }, ({ url }) => seen.push(url))
  http.get('/admin', ({ url }) => [seen.push(url)])
  onTestFinished(() => http.close())

  const shed = await http.inject('/ads')
  const managed = await http.inject('/admin')

  expect(shed.statusCode).toBe(503)
  expect(shed.headers).toMatchObject({
    'retry-after': '1',
    'content-type': expect.stringContaining('application/problem+json'),
  })
  expect(shed.json()).toMatchObject({ code: 'OVERLOADED', status: 503 })
  expect(managed.statusCode).toBe(200)
  expect(seen).toEqual(['/admin'])
  expect(await registry.getSingleMetricAsString('placard_shed_requests_total')).toMatch(/total 1$/m)
})
