import { DAY_SECONDS } from '@placard/calendar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normaliseDomain } from './domain-name.ts'
import { completePacing, siteFaults } from './site.ts'

describe('the normal form of a domain', () => {
  test.each([
    ['shop.example', 'shop.example'],
    ['  WWW.Shop.Example. ', 'shop.example'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['www.example', 'www.example'],
    ['localhost', 'localhost'],
  ])('one domain has one form: %s', (text, domain) => {
    expect(normaliseDomain(text)).toBe(domain)
  })

  test.each([
    'https://shop.example',
    'shop.example:8080',
    'shop.example/path',
    'shop',
    '127.0.0.1',
    'a..example',
    '-a.example',
    'a b.example',
    '%61.example',
    '',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
  ])('text that is not a host name is refused: %s', (text) => {
    expect(normaliseDomain(text)).toBeUndefined()
  })

  test('normal forms stay as they are', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        const normal = normaliseDomain(domain)
        fc.pre(normal !== undefined)
        expect(normaliseDomain(normal)).toBe(normal)
      }),
    )
  })
})

test('every fault of a site is named at once', () => {
  const silent = Array.from({ length: 24 }, () => 0)
  const pacing = completePacing({ weekdayVolumes: silent, weekendVolumes: silent })

  const faults = siteFaults({ domain: 'no host', crawlCron: 'never', pacing })

  expect(faults.map(({ path }) => path)).toEqual([
    'body/domain',
    'body/crawlCron',
    'body/pacing/weekdayVolumes',
    'body/pacing/weekendVolumes',
  ])
})

test('omitted pacing fields get their defaults', () => {
  expect(completePacing({ warmupMode: true })).toEqual({
    dayDurationSeconds: DAY_SECONDS,
    weekdayVolumes: Array.from({ length: 24 }, () => 1),
    weekendVolumes: Array.from({ length: 24 }, () => 1),
    warmupMode: true,
    testThrottleOverride: null,
  })
})
