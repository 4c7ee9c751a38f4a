import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { landingUrl, redirectUrl, type Utm, withoutQuery } from './landing-url.ts'

const NONE: Utm = { source: null, medium: null, campaign: null, content: null }
const UTM: Utm = { ...NONE, source: 'placard', medium: 'display' }

describe('landingUrl', () => {
  test.each([
    ['https://shop.example', 'https://shop.example?utm_source=placard&utm_medium=display'],
    [
      'https://shop.example/a?b=1',
      'https://shop.example/a?b=1&utm_source=placard&utm_medium=display',
    ],
    [
      'https://shop.example/a#top',
      'https://shop.example/a?utm_source=placard&utm_medium=display#top',
    ],
    [
      'https://shop.example/?a=%2F+x#/r?q=1',
      'https://shop.example/?a=%2F+x&utm_source=placard&utm_medium=display#/r?q=1',
    ],
    [
      'https://shop.example/?utm_source=own',
      'https://shop.example/?utm_source=own&utm_medium=display',
    ],
    ['https://shop.example/?', 'https://shop.example/?utm_source=placard&utm_medium=display'],
    [
      'https://shop.example/?a=1&',
      'https://shop.example/?a=1&utm_source=placard&utm_medium=display',
    ],
    ['/cart', '/cart?utm_source=placard&utm_medium=display'],
  ])('%s becomes %s', (url, expected) => {
    expect(landingUrl(url, UTM)).toBe(expected)
  })

  test('an address with nothing to add keeps its spelling', () => {
    const url = 'https://shop.example/A%20b?x=1#y'

    expect(landingUrl(url, NONE)).toBe(url)
    expect(landingUrl(url, { ...NONE, source: '' })).toBe(url)
  })

  test('a parameter that the address already has wins over the banner’s', () => {
    const url = 'https://shop.example/?utm_source=letter'

    expect(landingUrl(url, { ...NONE, source: 'placard' })).toBe(url)
  })

  test('a parameter whose name only starts like a UTM name is kept beside it', () => {
    const landing = landingUrl('https://shop.example/?utm_sourceful=1', { ...NONE, source: 'p' })

    expect(landing).toBe('https://shop.example/?utm_sourceful=1&utm_source=p')
  })

  test('UTM values are percent-encoded', () => {
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

  test('the address keeps its spelling, and each UTM value can be read back', () => {
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

  test('adding the UTM values a second time changes nothing', () => {
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

describe('redirectUrl', () => {
  const to = (landingUrl: string, macros = {}) => redirectUrl({ landingUrl, macros })

  test('redirectUrl fills macros in the address, encoded, and leaves unknown ones', () => {
    const macros = { decisionId: 'd 1', campaignId: 'c&2' }

    expect(to('https://shop.example/{campaignId}?click=%7BdecisionId%7D&x={other}', macros)).toBe(
      'https://shop.example/c%262?click=d%201&x={other}',
    )
  })

  test('redirectUrl fills macros in UTM values', () => {
    const landing = landingUrl('https://shop.example', { ...NONE, content: 'a {campaignId}' })

    expect(to(landing, { campaignId: 'c&2' })).toBe('https://shop.example?utm_content=a%20c%262')
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    '//shop.example',
    '/relative',
    'https://shop.example/\r\nset-cookie: a=b',
    'https://',
    '',
  ])('refuses %j', (url) => {
    expect(to(url)).toBeUndefined()
  })

  test('redirectUrl allows another scheme if the operator does', () => {
    const store = { landingUrl: 'market://details?id=example.shop', macros: {} }

    expect(redirectUrl(store)).toBeUndefined()
    expect(redirectUrl(store, new Set(['https', 'market']))).toBe(store.landingUrl)
  })
})

test.each([
  ['https://a.example/p?token=secret#x', 'https://a.example/p'],
  ['https://a.example/p', 'https://a.example/p'],
  ['https://a.example/\0', undefined],
  [undefined, undefined],
])('of the page %j only %j is stored', (url, kept) => {
  expect(withoutQuery(url)).toBe(kept)
})
