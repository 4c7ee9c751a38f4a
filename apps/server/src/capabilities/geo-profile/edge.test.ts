import { ObservationPublisher, type Transport } from '@placard/client/observations'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

const REQUESTS = 400

/** A server that tells of each request by this way, or of none; how long its requests take, in the middle. */
async function medianMs(transport: Transport | undefined): Promise<number> {
  const publisher =
    transport && new ObservationPublisher({ now: () => performance.now(), transport })
  const http = fastify()
  onTestFinished(() => http.close())
  http.addHook('onResponse', (request, _reply, done) => {
    const deviceSessionId = request.headers['x-session'] as string
    publisher?.publish({ userId: 'user-1', deviceSessionId, ipAddress: request.ip })
    done()
  })
  http.get('/', () => ({ fine: true }))
  const times: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const begun = performance.now()
    const answer = await http.inject({ url: '/', headers: { 'x-session': `session-${i}` } })
    times.push(performance.now() - begun)
    expect(answer.json()).toEqual({ fine: true })
  }
  return times.toSorted((a, b) => a - b)[REQUESTS / 2]!
}

const slow: Transport = () => new Promise(() => {})
const failing: Transport = () => Promise.reject(new Error('refused'))
const broken: Transport = () => {
  throw new Error('no such host')
}

/** A slow answer of the geo profile takes two seconds; a request that waited for it would show. */
const NOTICED_MS = 50

test('stage 04: requests answer alike when the geo profile is slow, failing, broken or absent', async () => {
  const absent = await medianMs(undefined)

  for (const transport of [slow, failing, broken]) {
    expect((await medianMs(transport)) - absent).toBeLessThan(NOTICED_MS)
  }
})
