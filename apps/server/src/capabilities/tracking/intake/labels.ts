import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../../../platform/network.ts'
import type { EventKind } from './event.ts'
import { clicksOf, type Limits, stepsOf } from '../rates/limits.ts'
import { MemoryRates, type Rates } from '../rates/rates.ts'

/** Why an event counts as real or not. All are counted, by label; only `valid` is billed. */
export type Label =
  | 'valid'
  | 'prefetch'
  | 'bot'
  | 'no-user-agent'
  | 'data-centre'
  | 'blocked-session'
  | 'wrong-site'
  | 'impossible-time'
  | 'burst'
  | 'duplicate'
  | 'no-impression'
  | 'no-click'
  | 'too-fast'
  | 'expired'
  | 'unmatched'

/** What the checks found out about a request. */
export interface RequestFacts {
  /** A server with a key reports for the reader. Missing fields do not count against it. */
  readonly isVouched: boolean
  readonly userAgent: string | undefined
  readonly isPrefetch: boolean
  readonly isKnownBot: boolean
  readonly isDataCentre: boolean
  readonly isBlockedSession: boolean
  readonly isWrongSite: boolean
  readonly isTooEarly: boolean
  readonly isBurst: boolean
}

/** The first match wins: certain reasons come before likely ones. */
export function labelOf(facts: RequestFacts): Label {
  if (facts.isPrefetch) return 'prefetch'
  const hasAgent = Boolean(facts.userAgent?.trim())
  if (!hasAgent && !facts.isVouched) return 'no-user-agent'
  if (hasAgent && facts.isKnownBot) return 'bot'
  if (facts.isDataCentre) return 'data-centre'
  if (facts.isBlockedSession) return 'blocked-session'
  if (facts.isWrongSite) return 'wrong-site'
  if (facts.isTooEarly) return 'impossible-time'
  if (facts.isBurst) return 'burst'
  return 'valid'
}

/** Where an event came from. The address is checked and never stored. */
export interface RequestOrigin {
  readonly kind: EventKind | 'conversion'
  /** Undefined if a server reports for its reader. */
  readonly address: string | undefined
  readonly userAgent: string | undefined
  /** `Sec-Purpose` or `Purpose`. */
  readonly purpose?: string | undefined
  /** A key of the publisher vouches for the reader. */
  readonly isVouched?: boolean
  readonly sessionId: string | undefined
  readonly userKey?: string | undefined
  readonly siteKey: number | undefined
  /** The page belongs to another site than the ad. */
  readonly isWrongSite?: boolean
  /** The event claims a time before its decision. */
  readonly isTooEarly?: boolean
  readonly nowMs: number
}

/** Impressions, and views, that one sender may send. Clicks get a fifth, progress twelve times as many. */
export interface RateLimits {
  readonly reader: Limits
  readonly device: Limits
  readonly address: Limits
  readonly site: Limits
}

export interface LabelSettings {
  readonly limits: RateLimits
  /** Rates that all nodes share. Default: those of this process. */
  ratesOf?(dimension: string): Rates
  isDataCentre(address: string): boolean
  isBlockedSession(sessionId: string): boolean
}

const USER_AGENTS_MAX = 5_000

/**
 * Labels requests by user agent, IP range, blocked session, origin, time and rate. Rates are counted
 * for each reader, device (its session), address (of IPv6 its /64) and site.
 */
export function createRequestLabeller(settings: LabelSettings): (origin: RequestOrigin) => Label {
  const isKnownBot = rememberBots()
  const isBurst = countRates(settings)
  return (origin) =>
    labelOf({
      isVouched: origin.isVouched === true,
      userAgent: origin.userAgent,
      isPrefetch: origin.purpose !== undefined && /\bprefetch\b/i.test(origin.purpose),
      isKnownBot: isKnownBot(origin.userAgent),
      isDataCentre: origin.address !== undefined && settings.isDataCentre(origin.address),
      isBlockedSession:
        origin.sessionId !== undefined && settings.isBlockedSession(origin.sessionId),
      isWrongSite: origin.isWrongSite === true,
      isTooEarly: origin.isTooEarly === true,
      isBurst: isBurst(origin),
    })
}

const DIMENSIONS = ['reader', 'device', 'address', 'site'] as const

function countRates({
  limits,
  ratesOf = () => new MemoryRates(),
}: Pick<LabelSettings, 'limits' | 'ratesOf'>): (origin: RequestOrigin) => boolean {
  const dimensions = DIMENSIONS.map((name) => ({
    rates: ratesOf(name),
    limits: limitsByKind(limits[name]),
  }))
  return ({ kind, userKey, sessionId, address, siteKey, nowMs }) => {
    const network = address === undefined ? undefined : networkOf(address)
    const senders = [userKey, sessionId, network, siteKey]
    let isBurst = false
    for (const [at, { rates, limits }] of dimensions.entries()) {
      const sender = senders[at]
      if (sender === undefined) continue
      if (rates.isTooMany(`${kind} ${sender}`, limits[kind], nowMs)) isBurst = true
    }
    return isBurst
  }
}

const limitsByKind = (limits: Limits): Record<RequestOrigin['kind'], Limits> => ({
  impression: limits,
  view: limits,
  progress: stepsOf(limits),
  click: clicksOf(limits),
  conversion: clicksOf(limits),
})

/** Matching the bot list is slow, and most readers use the same few browsers. */
export function rememberBots(): (userAgent: string | undefined) => boolean {
  const known = new LRUCache<string, boolean>({ max: USER_AGENTS_MAX })
  return (userAgent = '') => {
    const found = known.get(userAgent)
    if (found !== undefined) return found
    const isBot = isbot(userAgent)
    known.set(userAgent, isBot)
    return isBot
  }
}
