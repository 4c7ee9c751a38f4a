import { ObservationPublisher, type Transport } from '@placard/client/observations'
import fastify from 'fastify'
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'

const REQUESTS = 50

/**
 * Answers of a server that reports each request by this transport or by none, and the order of
 * events.
 */
async function serveAll(transport: Transport | undefined) {
  const seen: string[] = []
  const publisher =
    transport &&
    new ObservationPublisher({
      now: () => 0,
      transport: (...sent) => {
        seen.push('told')
        return transport(...sent)
      },
    })
  const http = fastify()
  onTestFinished(() => http.close())
  http.addHook('onResponse', (request, _reply, done) => {
    seen.push('answered')
    const deviceSessionId = request.headers['x-session'] as string
    publisher?.publish({ userId: 'user-1', deviceSessionId, ipAddress: request.ip })
    seen.push('over')
    done()
  })
  http.get('/', () => ({ fine: true }))
  const answers: unknown[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const answer = await http.inject({ url: '/', headers: { 'x-session': `session-${i}` } })
    const { date: _, ...headers } = answer.headers
    answers.push({ status: answer.statusCode, headers, body: answer.body })
  }
  return { answers, seen }
}

const slow: Transport = () => new Promise(() => {})
const failing: Transport = () => Promise.reject(new Error('refused'))
const broken: Transport = () => {
  throw new Error('no such host')
}

test('stage 04: requests are answered alike if the geo profile is slow, failing, broken or absent', async () => {
  const absent = await serveAll(undefined)

  for (const transport of [slow, failing, broken]) {
    const { answers, seen } = await serveAll(transport)
    expect(answers).toEqual(absent.answers)
    await vi.waitFor(() => expect(seen).toContain('told'))
  }
})

test('stage 04: nothing is sent before a request is answered and closed, so nobody waits for it', async () => {
  for (const transport of [slow, failing, broken]) {
    const { seen } = await serveAll(transport)
    const inside = seen.flatMap((what, at) => (what === 'answered' ? [seen[at + 1]] : []))
    expect(new Set(inside)).toEqual(new Set(['over']))
  }
})

/** How many promises, timers and sockets a request starts before its answer. */
async function countWork(transport: Transport | undefined): Promise<number[]> {
  const publisher = transport && new ObservationPublisher({ now: () => 0, transport })
  const http = fastify()
  onTestFinished(() => http.close())
  // Counts only what the request itself starts: the test runner has timers of its own.
  const ofRequest = new AsyncLocalStorage<{ work: number }>()
  const hook = createHook({
    init: () => {
      const request = ofRequest.getStore()
      if (request) request.work++
    },
  })
  // Node.js sets a timer once a second, in the first request that needs the new date.
  http.addHook('onRequest', (_request, reply, done) => {
    reply.raw.sendDate = false
    done()
  })
  http.addHook('onResponse', (request, _reply, done) => {
    const deviceSessionId = request.headers['x-session'] as string
    publisher?.publish({ userId: 'user-1', deviceSessionId, ipAddress: request.ip })
    done()
    counts.push(ofRequest.getStore()!.work)
  })
  http.get('/', () => ({ fine: true }))
  const counts: number[] = []
  await http.ready()
  hook.enable()
  for (let i = 0; i < REQUESTS; i++) {
    const sent = { url: '/', headers: { 'x-session': `session-${i}` } }
    await ofRequest.run({ work: 0 }, async () => await http.inject(sent))
    // By then the reports have been sent, and the next request must wake the publisher again.
    await new Promise(setImmediate)
  }
  hook.disable()
  return counts.slice(1)
}

test('stage 04: a request does one extra thing for the geo profile, however slow or broken that is', async () => {
  const [absent] = await countWork(undefined)

  for (const transport of [slow, failing, broken]) {
    const beside = new Set(await countWork(transport))
    expect(beside).toEqual(new Set([absent! + WAKE]))
  }
})

/** The one call that sends the reports after the answer. */
const WAKE = 1
