import { writeObservation } from '@placard/client/observations'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addKey, startServer, type TestServer } from '../../../testing/server.ts'
import { addAccount } from '../../../testing/world.ts'
import { observationQueue } from '../tables.ts'

const url = '/internal/v1/observations'
const message = writeObservation({
  userId: 'user-1',
  deviceSessionId: 'device-session-1',
  ipAddress: Uint8Array.of(49, 0, 0, 1),
})

async function edge(server: TestServer) {
  const account = await addAccount(server.deps, 'platform')
  const headers = await addKey(server, { account, scopes: ['observations:write'] })
  return (payload: Uint8Array, type = 'application/octet-stream') =>
    server.http.inject({
      method: 'POST',
      url,
      payload: Buffer.from(payload),
      headers: { ...headers, 'content-type': type },
    })
}

describe('stage 04: the ingest', () => {
  test('the ingest answers 202 without a body once the observation is in the queue', async () => {
    const server = await startServer()
    const send = await edge(server)

    const answer = await send(message)

    expect(answer.statusCode).toBe(202)
    expect(answer.body).toBe('')
    expect(await server.deps.db.select().from(observationQueue)).toMatchObject([
      { userId: 'user-1', deviceSessionId: 'device-session-1', state: 'accepted' },
    ])
  })

  test('the ingest answers 415 to another type, 413 to too much, 503 if the queue is unavailable', async () => {
    const server = await startServer()
    const send = await edge(server)

    expect((await send(message, 'application/json')).statusCode).toBe(415)
    expect((await send(new Uint8Array(1_025))).statusCode).toBe(413)
    await server.connection.pool.query('alter table observation_queue rename to elsewhere')
    const answer = await send(message)
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ code: 'service_unavailable' })
  })

  test('the ingest accepts nothing while it is switched off', async () => {
    const server = await startServer()
    const send = await edge(server)
    await server.connection.pool.query(
      `insert into switches (name, is_on, note, version, updated_at)
       values ('geo-profile.ingest', false, '', 1, now())`,
    )

    expect((await send(message)).statusCode).toBe(503)
    expect(await server.deps.db.$count(observationQueue)).toBe(0)
  })
})

describe('stage 20, malformed FlatBuffers payload', () => {
  test('every broken payload is refused with 400 and leaves nothing behind', async () => {
    const server = await startServer()
    const send = await edge(server)
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.nat(message.length - 1), fc.integer({ min: 0, max: 255 }))
        .map(([place, byte]) => message.with(place, byte)),
      fc.nat(message.length - 1).map((length) => message.slice(0, length)),
    )

    await fc.assert(
      fc.asyncProperty(broken, async (bytes) => {
        const { statusCode } = await send(bytes)

        expect([202, 400]).toContain(statusCode)
      }),
      { numRuns: 300 },
    )
    const rows = await server.deps.db.select().from(observationQueue)
    expect(rows.every(({ userId }) => userId.length > 0 && userId.length <= 128)).toBe(true)
  })
})
