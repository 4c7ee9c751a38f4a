import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { landingUrl, type Utm } from './landing-url.ts'

const NONE: Utm = { source: null, medium: null, campaign: null, content: null }

describe('landingUrl', () => {
  test.each([
    ['https://shop.example/', 'https://shop.example/?utm_source=placard'],
    ['https://shop.example/?a=1', 'https://shop.example/?a=1&utm_source=placard'],
    ['https://shop.example/?', 'https://shop.example/?utm_source=placard'],
    ['https://shop.example/?a=1&', 'https://shop.example/?a=1&utm_source=placard'],
    ['https://shop.example/#top', 'https://shop.example/?utm_source=placard#top'],
    ['https://shop.example/#/page?b=2', 'https://shop.example/?utm_source=placard#/page?b=2'],
    ['/cart', '/cart?utm_source=placard'],
  ])('%s becomes %s', (url, expected) => {
    expect(landingUrl(url, { ...NONE, source: 'placard' })).toBe(expected)
  })

  test('a value that the address has was put there on purpose', () => {
    const url = 'https://shop.example/?utm_source=letter'

    expect(landingUrl(url, { ...NONE, source: 'placard' })).toBe(url)
  })

  test('a parameter that only begins like one of ours is another one', () => {
    const landing = landingUrl('https://shop.example/?utm_sourceful=1', { ...NONE, source: 'p' })

    expect(landing).toBe('https://shop.example/?utm_sourceful=1&utm_source=p')
  })

  test('values are encoded', () => {
    const landing = landingUrl('https://shop.example/', { ...NONE, campaign: 'a&b=c #d' })

    expect(new URL(landing).searchParams.get('utm_campaign')).toBe('a&b=c #d')
  })

  const word = fc.stringMatching(/^[a-z0-9%+=._~-]{0,12}$/)
  const urls = fc.record({
    path: fc.stringMatching(/^[a-z0-9/._-]{0,20}$/),
    query: fc.option(fc.array(word, { maxLength: 4 }).map((parts) => parts.join('&'))),
    fragment: fc.option(fc.stringMatching(/^[a-z0-9/?&=#!-]{0,20}$/)),
  })
  const value = fc.option(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }))
  const utms = fc.record({ source: value, medium: value, campaign: value, content: value })

  test('what the address had stays as it was written, and each value can be read back', () => {
    fc.assert(
      fc.property(urls, utms, ({ path, query, fragment }, utm) => {
        const start = `https://shop.example/${path}${query === null ? '' : `?${query}`}`
        const end = fragment === null ? '' : `#${fragment}`

        const landing = landingUrl(start + end, utm)

        expect(landing.startsWith(start)).toBe(true)
        expect(landing.endsWith(end)).toBe(true)
        const { searchParams } = new URL(landing)
        const given = Object.entries(utm).filter(([, value]) => value !== null)
        const read = given.map(([name]) => [name, searchParams.get(`utm_${name}`)])
        expect(read).toEqual(given)
      }),
      { seed: 3, numRuns: 2_000 },
    )
  })

  test('an address is tagged once: doing it again changes nothing', () => {
    fc.assert(
      fc.property(urls, utms, ({ path, query }, utm) => {
        const url = `https://shop.example/${path}${query === null ? '' : `?${query}`}`
        const once = landingUrl(url, utm)

        expect(landingUrl(once, utm)).toBe(once)
      }),
      { seed: 4, numRuns: 1_000 },
    )
  })
})
