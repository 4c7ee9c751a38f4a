import * as fc from 'fast-check'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { addressBytes, addressText } from './ip-address.ts'
import { httpTransport, ObservationPublisher } from './publisher.ts'
import { readObservation } from './read-observation.ts'
import { writeObservation } from './write-observation.ts'

const note = {
  userId: 'user-1',
  deviceSessionId: 'device-session-1',
  ipAddress: Uint8Array.of(192, 0, 2, 1),
}
const request = { userId: 'user-1', deviceSessionId: 'device-session-1', ipAddress: '192.0.2.1' }

describe('stage 03: the message', () => {
  const id = fc.stringMatching(/^[a-z0-9-]{1,128}$/)
  const ip = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  )

  test('reads back as it was written', () => {
    fc.assert(
      fc.property(id, id, ip, (userId, deviceSessionId, ipAddress) => {
        const written = { userId, deviceSessionId, ipAddress }

        expect(readObservation(writeObservation(written))).toEqual(written)
      }),
    )
  })

  test('with any change is refused or reads as a complete observation', () => {
    const message = writeObservation(note)
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 1_100 }),
      fc
        .array(fc.tuple(fc.nat(message.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
        .map((faults) => faults.reduce((bytes, [at, byte]) => bytes.with(at, byte), message)),
      fc.nat(message.length - 1).map((length) => message.slice(0, length)),
    )
    fc.assert(
      fc.property(broken, (bytes) => {
        const read = readObservation(bytes)
        if (!read) return
        expect([4, 16]).toContain(read.ipAddress.length)
        expect(read.userId.length).toBeGreaterThan(0)
        expect(read.deviceSessionId.length).toBeGreaterThan(0)
      }),
      { numRuns: 5_000 },
    )
  })

  test('of a later version with more fields can be read', () => {
    const message = writeObservation(note)

    expect(readObservation(Uint8Array.from([...message, 0, 0, 0, 0]))).toEqual(note)
  })

  test('is refused with another identifier, an empty or too long id, or a short address', () => {
    const other = writeObservation(note).with(7, '2'.charCodeAt(0))

    expect(readObservation(other)).toBeUndefined()
    expect(readObservation(writeObservation({ ...note, userId: '' }))).toBeUndefined()
    expect(readObservation(writeObservation({ ...note, userId: 'x'.repeat(129) }))).toBeUndefined()
    const short = { ...note, ipAddress: Uint8Array.of(1, 2, 3) }
    expect(readObservation(writeObservation(short))).toBeUndefined()
  })
})

describe('an address', () => {
  test('becomes bytes and text again, with IPv4-mapped IPv6 as IPv4', () => {
    expect(addressText(addressBytes('::ffff:192.0.2.1')!)).toBe('192.0.2.1')
    expect(addressText(addressBytes('2001:db8::7')!)).toBe('2001:db8:0:0:0:0:0:7')
    expect(addressBytes('fe80::1%eth0')).toHaveLength(16)
    expect(addressBytes('nowhere')).toBeUndefined()
  })
})

const gate = () => Promise.withResolvers<void>()

describe('stage 04: the publisher', () => {
  test('publishes a session and address once a minute', async () => {
    let nowMs = 0
    const sent: Uint8Array[] = []
    const publisher = new ObservationPublisher({
      now: () => nowMs,
      transport: async (message) => void sent.push(message),
    })
    for (const atMs of [0, 59_999, 60_000]) {
      nowMs = atMs
      publisher.publish(request)
    }
    publisher.publish({ ...request, ipAddress: '192.0.2.2' })

    await vi.waitFor(() => expect(sent).toHaveLength(3))
    expect(publisher.counts).toEqual({ attempts: 3, successes: 3, failures: 0, dropped: 0 })
  })

  test('drops the oldest when too many wait, and counts it', async () => {
    const { promise, resolve } = gate()
    const sent: string[] = []
    const publisher = new ObservationPublisher({
      now: () => 0,
      waitingMax: 2,
      concurrency: 1,
      async transport(message) {
        sent.push(readObservation(message)!.deviceSessionId)
        await promise
      },
    })
    for (const name of ['a', 'b', 'c', 'd'])
      publisher.publish({ ...request, deviceSessionId: name })
    resolve()

    await vi.waitFor(() => expect(sent).toEqual(['c', 'd']))
    expect(publisher.counts.dropped).toBe(2)
  })

  test('never tries again and never throws at the caller', async () => {
    const publisher = new ObservationPublisher({
      now: () => 0,
      transport: () => Promise.reject(new Error('the geo profile is away')),
    })
    publisher.publish(request)
    publisher.publish({ ...request, ipAddress: 'nonsense' })

    await vi.waitFor(() => expect(publisher.counts.failures).toBe(2))
    expect(publisher.counts.attempts).toBe(2)
  })

  test('sends the message over HTTP with its API key, and counts every answer but 202 as a failure', async () => {
    const got: (string | undefined)[][] = []
    const server = createServer((incoming, reply) => {
      incoming.resume()
      got.push([incoming.url, incoming.headers['x-api-key'] as string])
      reply.writeHead(got.length === 1 ? 202 : 503).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await vi.waitFor(() => expect(server.listening).toBe(true))
    const { port } = server.address() as AddressInfo
    const transport = httpTransport({ url: `http://127.0.0.1:${port}`, token: 'a key' })

    const publisher = new ObservationPublisher({ now: () => 0, transport })
    publisher.publish(request)
    publisher.publish({ ...request, deviceSessionId: 'another' })

    await vi.waitFor(() => expect(publisher.counts).toMatchObject({ successes: 1, failures: 1 }))
    expect(got[0]).toEqual(['/internal/v1/observations', 'a key'])
  })

  test('stops after the messages in progress', async () => {
    const publisher = new ObservationPublisher({ now: () => 0, transport: async () => {} })
    publisher.publish(request)

    await publisher.stop()

    expect(publisher.counts.dropped).toBe(1)
  })
})
