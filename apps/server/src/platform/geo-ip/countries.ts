import { createRequire } from 'node:module'
import { BlockList, isIP } from 'node:net'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { open, type Reader, type Response } from 'maxmind'
import { StartRefused } from '../problem.ts'

export interface Countries {
  /** ISO 3166-1 alpha-2; undefined for private, unknown and malformed addresses. */
  countryOf(address: string | undefined): string | undefined
  /** Build date of the file; an old file knows fewer blocks. */
  readonly builtAt: Date
}

/** A file that may be replaced while in use. */
export interface CountryFile extends Countries {
  /** Reloads the file if it was replaced. Keeps the old one if the new one is bad. */
  refresh(): Promise<'unchanged' | 'refreshed'>
  /** False for the operator's own file, which the operator keeps up to date. */
  readonly isBundled: boolean
}

/** The free file and MaxMind's files name the country differently. */
interface CountryRecord {
  readonly country_code?: string
  readonly country?: { readonly iso_code?: string }
  readonly registered_country?: { readonly iso_code?: string }
}

/** Decoded records are cached by their position in the file. Addresses are not kept. */
const RECORDS_KEPT = 1_000
const PACKAGE = '@ip-location-db/geo-whois-asn-country-mmdb'

/** Looks up countries in a local file; never asks the network. */
export async function openCountries(file?: string): Promise<CountryFile> {
  const place = file ?? bundledFile()
  let reader = await readFile(place).catch((error: unknown) => {
    throw new StartRefused(
      `The Geo-IP file ${place} cannot be read (${(error as Error).message}); check GEOIP_PATH.`,
    )
  })
  let changedMs = (await stat(place)).mtimeMs
  let countryOf = rememberBlocks(reader)

  return {
    isBundled: file === undefined,
    get builtAt() {
      return reader.metadata.buildEpoch
    },
    countryOf: (address) => countryOf(address),
    async refresh() {
      const { mtimeMs } = await stat(place)
      if (mtimeMs === changedMs) return 'unchanged'
      reader = await readFile(place)
      countryOf = rememberBlocks(reader)
      changedMs = mtimeMs
      return 'refreshed'
    },
  }
}

type CountryReader = Reader<CountryRecord & Response>

const readFile = (file: string): Promise<CountryReader> =>
  open<CountryRecord & Response>(file, { cache: { max: RECORDS_KEPT } })

/** Per block: not asked yet, no country, or the country's number. Blocks with several countries are looked up each time. */
const NOT_ASKED = 0
const FINER = 1
const FIRST_CODE = 2
const BLOCK_BITS = 24
const BLOCKS_PER_PART = 256

/**
 * A lookup walks a tree bit by bit. Most of the 2^24 blocks of 256 addresses lie in one country, so the
 * answer is cached per block: one byte each, 16 MB at most.
 */
function rememberBlocks(reader: CountryReader): Countries['countryOf'] {
  const known: (Uint8Array | undefined)[] = Array.from({ length: 2 ** 16 }, () => undefined)
  const codes: (string | undefined)[] = []

  const ask = (address: string, blocks: Uint8Array, block: number) => {
    const country = countryBy(reader, address)
    const [, bits] = reader.getWithPrefixLength(address)
    let at = codes.indexOf(country)
    if (at < 0) at = codes.push(country) - 1
    const fits = bits <= BLOCK_BITS && at + FIRST_CODE < BLOCKS_PER_PART
    blocks[block] = fits ? at + FIRST_CODE : FINER
    return country
  }

  return (address) => {
    const number = address === undefined ? NO_IPV4 : ipv4Of(address)
    if (number === NO_IPV4) return countryBy(reader, address)
    const blocks = (known[number >>> 16] ??= new Uint8Array(BLOCKS_PER_PART))
    const block = (number >>> 8) & 0xff
    const code = blocks[block]!
    if (code >= FIRST_CODE) return codes[code - FIRST_CODE]
    return code === NOT_ASKED ? ask(address!, blocks, block) : countryBy(reader, address)
  }
}

const NO_IPV4 = -1
const ZERO = 48
const DOT = 46

/** Exactly four decimal parts; anything else is NO_IPV4. */
export function ipv4Of(address: string): number {
  let number = 0
  let part = 0
  let digits = 0
  let parts = 1
  for (let at = 0; at < address.length; at++) {
    const code = address.charCodeAt(at)
    if (code === DOT) {
      if (digits === 0) return NO_IPV4
      number = number * 256 + part
      part = 0
      digits = 0
      parts++
    } else {
      if (code < ZERO || code > ZERO + 9 || (digits > 0 && part === 0)) return NO_IPV4
      part = part * 10 + code - ZERO
      digits++
      if (part > 255) return NO_IPV4
    }
  }
  return parts === 4 && digits > 0 ? number * 256 + part : NO_IPV4
}

function countryBy(reader: CountryReader, address: string | undefined): string | undefined {
  if (!address) return undefined
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 0 || (version === 6 && reader.metadata.ipVersion === 4)) return undefined
  if (NOWHERE.check(plain, version === 6 ? 'ipv6' : 'ipv4')) return undefined
  return countryIn(reader.get(plain))
}

/** Unwraps IPv4-mapped addresses (`::ffff:198.51.100.7`) and drops the zone, which only this machine knows. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)
  return mapped?.[1] ?? address.split('%', 1)[0]!
}

/** Private, shared, documentation and reserved addresses. Geo-IP files have stray entries for some. */
const NOWHERE = blockList([
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
  '192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  '::/127 64:ff9b:1::/48 100::/64 2001:db8::/32 fc00::/7 fe80::/10 ff00::/8',
])

function blockList(lines: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of lines.join(' ').split(' ')) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

function countryIn(record: CountryRecord | null): string | undefined {
  const code =
    record?.country_code ?? record?.country?.iso_code ?? record?.registered_country?.iso_code
  return code !== undefined && /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? code : undefined
}

function bundledFile(): string {
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)
  return path.join(path.dirname(manifest), 'geo-whois-asn-country.mmdb')
}
