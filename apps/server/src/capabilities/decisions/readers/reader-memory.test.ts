import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { fixedClock } from '../../../testing/fixed.ts'
import { measureReaders } from './metrics.ts'
import { createReaderMemory, type KnownReader, type ReaderMemory } from './reader-memory.ts'

const GAZETTE = 1
const TRIBUNE = 2

describe('the memory of readers', () => {
  const facts = (userKey: string, more: Partial<KnownReader> = {}): KnownReader => ({
    userKey,
    publisherKey: GAZETTE,
    segments: ['x'],
    purchasedAtMs: undefined,
    ...more,
  })
  const keptOf = (memory: ReaderMemory, userKeys: readonly string[], publisherKey = GAZETTE) =>
    userKeys.filter((userKey) => memory.find(userKey, publisherKey) !== undefined)

  test('the memory is bounded: the reader updated longest ago is forgotten', () => {
    const memory = createReaderMemory(2)

    for (const userKey of ['a', 'b', 'a', 'c']) memory.put(facts(userKey))

    expect(keptOf(memory, ['a', 'b', 'c'])).toEqual(['a', 'c'])
    expect([memory.size(), memory.forgotten()]).toEqual([2, 1])
  })

  test('a publisher that says very much forgets its own readers, not those of another', () => {
    const memory = createReaderMemory(10)
    const others = ['a', 'b', 'c', 'd', 'e']
    for (const userKey of others) memory.put(facts(userKey))

    for (let i = 0; i < 1_000; i++) memory.put(facts(`f${i}`, { publisherKey: TRIBUNE }))

    expect(keptOf(memory, others)).toEqual(others)
    expect(memory.size()).toBe(10)
  })

  test('a reader with many long segments takes the place of many', () => {
    const memory = createReaderMemory(40)
    const segments = Array.from({ length: 64 }, (_, i) => `${i}`.padEnd(128, 'x'))

    memory.put(facts('long', { publisherKey: TRIBUNE, segments }))
    for (const userKey of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) memory.put(facts(userKey))
    expect(memory.size()).toBe(8)
    memory.put(facts('h'))

    expect(keptOf(memory, ['long'], TRIBUNE)).toEqual([])
    expect(memory.size()).toBe(8)
  })

  test('the memory forgets a reader of whom nothing is known', () => {
    const memory = createReaderMemory()

    memory.put(facts('a'))
    memory.put(facts('a', { segments: [], purchasedAtMs: 1 }))
    expect(memory.find('a', GAZETTE)).toEqual({ segments: [], purchasedAtMs: 1 })
    memory.put(facts('a', { segments: [] }))

    expect([memory.find('a', GAZETTE), memory.size()]).toEqual([undefined, 0])
  })
})

test('metrics show the size of the memory of readers and the age of the Geo-IP file', async () => {
  const clock = fixedClock()
  const known = createReaderMemory(1)
  const facts = { publisherKey: GAZETTE, segments: ['x'], purchasedAtMs: undefined }
  for (const userKey of ['a', 'b']) known.put({ userKey, ...facts })
  const builtAt = new Date(clock.now().getTime() - 60_000)
  const registry = new Registry()

  measureReaders(registry, { clock, known, geo: { builtAt } })

  const text = await registry.metrics()
  expect(text).toContain('placard_user_segments_held 1')
  expect(text).toContain('placard_user_segments_forgotten 1')
  expect(text).toContain('placard_geoip_age_seconds 60')
})
