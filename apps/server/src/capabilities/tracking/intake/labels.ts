import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Why an event counts as real or not. All are counted, by label; only `valid` is billed. */
export type Label =
  | 'valid'
  | 'bot'
  | 'no-user-agent'
  | 'data-centre'
  | 'blocked-session'
  | 'burst'
  | 'duplicate'
  | 'no-impression'
  | 'too-fast'
  | 'expired'
  | 'unmatched'

/** What the checks found out about a request. */
export interface RequestFacts {
  /** A server with a key tells of the reader: what it does not say speaks against nobody. */
  readonly isVouched: boolean
  readonly userAgent: string | undefined
  readonly isKnownBot: boolean
  readonly isDataCentre: boolean
  readonly isBlockedSession: boolean
  readonly isBurst: boolean
}

export function labelOf(facts: RequestFacts): Label {
  const hasAgent = Boolean(facts.userAgent?.trim())
  if (!hasAgent && !facts.isVouched) return 'no-user-agent'
  if (hasAgent && facts.isKnownBot) return 'bot'
  if (facts.isDataCentre) return 'data-centre'
  if (facts.isBlockedSession) return 'blocked-session'
  if (facts.isBurst) return 'burst'
  return 'valid'
}

export interface BucketSize {
  readonly perSecond: number
  readonly burst: number
}

export interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

/** Takes one token if there is one. The bucket refills over time, up to its size. */
export function takeToken(
  bucket: Bucket | undefined,
  size: BucketSize,
  nowMs: number,
): { readonly bucket: Bucket; readonly isTaken: boolean } {
  const { tokens, atMs } = bucket ?? { tokens: size.burst, atMs: nowMs }
  const refill = (Math.max(0, nowMs - atMs) / 1_000) * size.perSecond
  const there = Math.min(size.burst, tokens + refill)
  const isTaken = there >= 1
  return { bucket: { tokens: isTaken ? there - 1 : there, atMs: nowMs }, isTaken }
}

/** Where an event came from. The address is checked and never stored. */
export interface RequestOrigin {
  /** Unknown of a reader whom a server tells of. */
  readonly address: string | undefined
  readonly userAgent: string | undefined
  /** A key of the publisher tells of the reader. */
  readonly isVouched?: boolean
  readonly sessionId: string | undefined
  readonly siteKey: number | undefined
  readonly nowMs: number
}

export interface LabelSettings {
  readonly burst: BucketSize
  /** IP ranges of data centres, given by the operator. */
  readonly dataCentres: readonly string[]
  isBlockedSession(sessionId: string): boolean
}

const ORIGINS_MAX = 50_000
const USER_AGENTS_MAX = 5_000
export const BURST_DEFAULT: BucketSize = { perSecond: 20, burst: 60 }

/**
 * Labels requests by user agent, IP range, blocked session and event rate. Each address has one
 * rate limit per site.
 */
export function createRequestLabeller(settings: LabelSettings): (origin: RequestOrigin) => Label {
  const isDataCentre = rangesOf(settings.dataCentres)
  const isKnownBot = rememberBots()
  const buckets = new LRUCache<string, Bucket>({ max: ORIGINS_MAX })

  const isBurst = ({ address, siteKey, nowMs }: RequestOrigin) => {
    if (address === undefined) return false
    const name = `${address} ${siteKey}`
    const { bucket, isTaken } = takeToken(buckets.get(name), settings.burst, nowMs)
    buckets.set(name, bucket)
    return !isTaken
  }
  return (origin) =>
    labelOf({
      isVouched: origin.isVouched === true,
      userAgent: origin.userAgent,
      isKnownBot: isKnownBot(origin.userAgent),
      isDataCentre: origin.address !== undefined && isDataCentre(origin.address),
      isBlockedSession:
        origin.sessionId !== undefined && settings.isBlockedSession(origin.sessionId),
      isBurst: isBurst(origin),
    })
}

/** Matching the bot list is slow, and most readers use the same few browsers. */
function rememberBots(): (userAgent: string | undefined) => boolean {
  const known = new LRUCache<string, boolean>({ max: USER_AGENTS_MAX })
  return (userAgent = '') => {
    const found = known.get(userAgent)
    if (found !== undefined) return found
    const isBot = isbot(userAgent)
    known.set(userAgent, isBot)
    return isBot
  }
}

function rangesOf(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const list = blockListOf(ranges)
  return (address) => list.check(address, familyOf(address))
}

/** One address or range per line. `#` starts a comment. */
export function parseRanges(text: string): string[] {
  const ranges = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
  const wrong = ranges.find((range) => !isRange(range))
  if (wrong !== undefined) throw new RangeError(`"${wrong}" is neither an address nor a range`)
  return ranges
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  if (bitsMax < 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax)
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits ?? (isIPv6(address) ? 128 : 32)), familyOf(address))
  }
  return list
}
