import { copyFile, readFile, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DAY_SECONDS } from '@placard/calendar'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fixedClock } from '../../testing/fixed.ts'
import { scratchFolder } from '../../testing/server.ts'
import { manualTimers } from '../background/manual-timers.ts'
import { openCountries } from './countries.ts'
import { keepGeoIp } from './keeper.ts'

const PACKAGE = '@ip-location-db/geo-whois-asn-country-mmdb'
const BUNDLED = path.join(
  path.dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)),
  'geo-whois-asn-country.mmdb',
)

async function keep(options: { file?: string; url?: string } = {}) {
  const home = await scratchFolder()
  const clock = fixedClock()
  const timers = manualTimers()
  const errors: unknown[] = []
  const keeper = await keepGeoIp({
    file: options.file,
    url: options.url,
    home,
    ageDaysMax: 45,
    clock,
    timers,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => keeper.stop())
  return { keeper, clock, timers, errors, home }
}

test('stage 06: countries come from the local file; IPv4 in IPv6 is unwrapped, the private are nowhere', async () => {
  const { countryOf } = await openCountries()

  expect(countryOf('84.128.0.1')).toBe('DE')
  expect(countryOf('::ffff:84.128.0.1')).toBe('DE')
  for (const address of ['10.0.0.1', '127.0.0.1', '100.64.0.1', '::1', 'fe80::1', 'nonsense']) {
    expect(countryOf(address)).toBeUndefined()
  }
})

test('a file that is replaced is read again; a bad one is refused, and the old one stays', async () => {
  const file = path.join(await scratchFolder(), 'own.mmdb')
  await copyFile(BUNDLED, file)
  const { keeper, timers, errors } = await keep({ file })
  await writeFile(file, 'no such file')
  await utimes(file, new Date(1), new Date(1))

  timers.pass(60_000)
  await vi.waitFor(() => expect(errors).toHaveLength(1))

  expect(keeper.countries.countryOf('84.128.0.1')).toBe('DE')
})

test('stage 06: a newer file in the place of the old one is in use within a minute', async () => {
  const file = path.join(await scratchFolder(), 'own.mmdb')
  const bytes = await readFile(BUNDLED)
  await writeFile(file, madeAt(bytes, 1_600_000_000))
  const { keeper, timers } = await keep({ file })
  expect(keeper.countries.builtAt).toEqual(new Date(1_600_000_000_000))
  await writeFile(file, madeAt(bytes, 1_700_000_000))
  await utimes(file, new Date(1), new Date(1))

  timers.pass(60_000)
  await vi.waitFor(() => expect(keeper.countries.builtAt).toEqual(new Date(1_700_000_000_000)))

  expect(keeper.countries.countryOf('84.128.0.1')).toBe('DE')
})

/** The same file with another `build_epoch`: a key of its metadata, then a number of four or eight bytes. */
function madeAt(bytes: Buffer, seconds: number): Buffer {
  const made = Buffer.from(bytes)
  const key = made.lastIndexOf('build_epoch') + 'build_epoch'.length
  const size = made[key]! & 31
  made.fill(0, key + 2, key + 2 + size)
  made.writeUInt32BE(seconds, key + 2 + size - 4)
  return made
}

test('an own file grows too old; the one that comes along only shows its age', async () => {
  const file = path.join(await scratchFolder(), 'own.mmdb')
  await copyFile(BUNDLED, file)
  const own = await keep({ file })
  const bundled = await keep()
  for (const { clock } of [own, bundled]) clock.moveTo('2030-01-01T00:00:00Z')

  expect(own.keeper.isFresh()).toBe(false)
  expect(bundled.keeper.isFresh()).toBe(true)
  expect(bundled.keeper.ageSeconds()).toBeGreaterThan(DAY_SECONDS)
})

test('a fetched file is taken only if it is newer and whole', async () => {
  const bytes = await readFile(BUNDLED)
  const server = createServer((_request, reply) => void reply.end(bytes))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { signal } = new AbortController()
  const { keeper } = await keep({ url: `http://127.0.0.1:${port}/country.mmdb` })

  expect(await keeper.fetchNewer(signal)).toBe('not-newer')
  expect(await (await keep()).keeper.fetchNewer(signal)).toBe('not-set')
})
