import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asDomain,
  deviceOfAgent,
  domainOf,
  mergeContexts,
  preferredLanguage,
  readStatement,
} from './context.ts'
import { plainAddress } from '../../../platform/geo-ip/countries.ts'
import { readOnce } from './header-cache.ts'

describe('preferredLanguage takes the language with the highest weight', () => {
  test.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de-at'],
    ['en;q=0.8, de;q=0.9', 'de'],
    ['fr;q=0.5,it;q=0.5', 'fr'],
    ['*', undefined],
    ['*,nl;q=0.1', 'nl'],
    ['da;q=0, en-GB;q=0.3', 'en-gb'],
    ['pt_BR', 'pt-br'],
    ['zh-Hant-TW', 'zh-hant-tw'],
    [' ES ; q = 0.7 ', 'es'],
    ['de;q=nonsense,en;q=0.2', 'en'],
    ['de;q=7,en;q=0.2', 'en'],
    ['de;q=-1', undefined],
    ['', undefined],
    [',,;q=1,', undefined],
    ['../../etc/passwd', undefined],
  ])('%s → %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language)
  })

  test('of an endless Accept-Language header only the beginning is read', () => {
    expect(preferredLanguage(`${'xx;q=0.1,'.repeat(5_000)}de`)).toBe('xx')
  })
})

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('deviceOf reads the user agent', () => {
  const deviceOf = readOnce(100, deviceOfAgent)

  test.each([
    [
      'mobile',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${WEBKIT} Mobile/15E148 Safari/604.1`,
    ],
    [
      'mobile',
      `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/124.0.0.0 Mobile Safari/537.36`,
    ],
    ['mobile', 'Mozilla/5.0 (Mobile; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5'],
    [
      'tablet',
      `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${WEBKIT} Mobile/15E148 Safari/604.1`,
    ],
    [
      'tablet',
      `Mozilla/5.0 (Linux; Android 13; SM-X906C) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`,
    ],
    ['tablet', 'Mozilla/5.0 (Android 14; Tablet; rv:125.0) Gecko/125.0 Firefox/125.0'],
    [
      'desktop',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36 Edg/124`,
    ],
    [
      'desktop',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4; rv:125.0) Gecko/20100101 Firefox/125',
    ],
    ['desktop', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`],
    [
      'desktop',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/124.0.0.0 Safari/537.36`,
    ],
    [undefined, `Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) ${WEBKIT} 76.0/6.0 TV Safari/537.36`],
    [undefined, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    [undefined, 'curl/8.5.0'],
    [undefined, 'node'],
    [undefined, ' '],
    [undefined, ''],
    [undefined, undefined],
  ])('%s: %s', (device, agent) => {
    expect(deviceOf(agent)).toBe(device)
    expect(deviceOf(agent)).toBe(device)
  })

  test('of an endless user agent only the beginning is read', () => {
    const agent = `Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile ${'x'.repeat(100_000)}`

    expect(deviceOf(agent)).toBe('mobile')
  })
})

describe('domainOf gives the host in lower case without www.', () => {
  test.each([
    ['https://www.Search.Example/find?q=shoes', 'search.example'],
    ['http://shop.example:8080/', 'shop.example'],
    ['https://wwwide.example/', 'wwwide.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['android-app://com.example', undefined],
    ['javascript:alert(1)', undefined],
    ['no address', undefined],
    [`https://long.example/${'x'.repeat(3_000)}`, undefined],
    ['', undefined],
  ])('%s → %s', (address, domain) => {
    expect(domainOf(address)).toBe(domain)
  })

  test('domainOf finds the host that the URL parser finds, also on its short path', () => {
    const label = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'az09-_A'.split('')), maxLength: 6 }),
      fc.constantFrom('www', 'xn--bcher-kva', 'xn--x', 'com', '1', '0x7f', 'example'),
    )
    const address = fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'HTTP://', 'ftp://', ''),
        fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
        fc.constantFrom(
          '',
          '/',
          '/a?b#c',
          '?x',
          '#x',
          ':80/',
          ':x',
          '.',
          '@b.example/',
          '\\',
          '\t/',
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(address, (text) => {
        const url = URL.parse(text)
        const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
        expect(domainOf(text)).toBe(isWeb ? asDomain(url.hostname) : undefined)
      }),
      { numRuns: 5_000 },
    )
  })
})

test('a repeated text is parsed once, and only the latest texts are kept', () => {
  const read: string[] = []
  const lengthOf = readOnce(2, (text) => read.push(text))

  for (const text of ['a', 'a', 'b', 'c', 'a']) lengthOf(text)

  expect(read).toEqual(['a', 'b', 'c', 'a'])
})

test('an IPv4-mapped IPv6 address is an IPv4 address, and a zone is dropped', () => {
  expect(plainAddress('::ffff:198.51.100.7')).toBe('198.51.100.7')
  expect(plainAddress('::FFFF:198.51.100.7')).toBe('198.51.100.7')
  expect(plainAddress('fe80::1%eth0')).toBe('fe80::1')
  expect(plainAddress('2001:db8::7')).toBe('2001:db8::7')
})

describe('readStatement', () => {
  test('a statement may be a dictionary of strings', () => {
    const { context } = readStatement({
      country: 'de',
      device: 'Mobile',
      language: 'de_AT',
      segment: 'high-intent',
      segments: 'shoes, sport,shoes',
      loggedIn: 'true',
      newVisitor: '0',
      referrer: 'https://www.search.example/',
      lastPurchaseDaysAgo: '14',
    })

    expect(context).toEqual({
      country: 'DE',
      device: 'mobile',
      language: 'de-at',
      segments: ['shoes', 'sport', 'high-intent'],
      loggedIn: true,
      newVisitor: false,
      referrerDomain: 'search.example',
      lastPurchaseDaysAgo: 14,
      categories: undefined,
    })
  })

  test('a field of a statement that makes no sense is left out', () => {
    const { context, ip } = readStatement({
      country: 'Germany',
      device: 'fridge',
      language: '12',
      segments: [7, '', 'x'.repeat(129), 'a\u0000b'],
      loggedIn: 'perhaps',
      referrerDomain: 'two words',
      lastPurchaseDaysAgo: '-1',
      ip: 7,
    })

    expect(JSON.parse(JSON.stringify(context))).toEqual({ segments: [] })
    expect(ip).toBeUndefined()
  })

  test('the lists and texts of a statement are bounded', () => {
    const segments = Array.from({ length: 1_000 }, (_, i) => `segment-${i}`)

    expect(readStatement({ segments }).context.segments).toHaveLength(64)
  })
})

test('a later statement wins, a missing field changes nothing, and segments add up', () => {
  expect(
    mergeContexts(
      { device: 'mobile', country: 'DE', segments: ['a'] },
      { country: 'AT', device: undefined, segments: ['b', 'a'] },
    ),
  ).toEqual({ device: 'mobile', country: 'AT', segments: ['a', 'b'] })
})
