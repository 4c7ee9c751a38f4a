import fc from 'fast-check'
import { open, type Response } from 'maxmind'
import { isIPv4 } from 'node:net'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { ipv4Of, openCountries } from './countries.ts'

const BUNDLED = createRequire(import.meta.url).resolve(
  '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
)

test('what is remembered of a block is what the file says of each of its addresses', async () => {
  const { countryOf } = await openCountries()
  const file = await open<{ country_code?: string } & Response>(BUNDLED)
  const part = fc.integer({ min: 0, max: 255 })
  const block = fc.tuple(fc.integer({ min: 11, max: 99 }), part, part)

  fc.assert(
    fc.property(block, fc.array(part, { minLength: 1 }), (start, lasts) => {
      for (const last of lasts) {
        const address = [...start, last].join('.')
        expect(countryOf(address)).toBe(file.get(address)?.country_code)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('an address that is nowhere has no country, whatever its neighbours have', async () => {
  const { countryOf } = await openCountries()

  for (const address of ['198.51.100.0', '198.51.100.255', '192.168.0.1', '192.168.0.2']) {
    expect(countryOf(address)).toBeUndefined()
  }
})

test('what is read as an IPv4 address is one', () => {
  const texts = fc.oneof(
    fc.ipV4(),
    fc.string({ unit: fc.constantFrom(...'0123456789.a'.split('')), maxLength: 16 }),
    fc.tuple(fc.nat(300), fc.nat(300), fc.nat(300), fc.nat(300)).map((parts) => parts.join('.')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const number = ipv4Of(text)
      expect(number >= 0).toBe(isIPv4(text))
      if (number < 0) return
      const parts = [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256)
      expect(parts.join('.')).toBe(text)
    }),
    { numRuns: 1_000 },
  )
})
