import { DAY_MS } from '@placard/calendar'
import type { Context } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import {
  asLanguage,
  deviceOfAgent,
  domainOf,
  mergeContexts,
  preferredLanguage,
  readStatement,
  type Statement,
} from './context.ts'
import { consentOf, type Permissions, type ReadConsent } from '../../consent/index.ts'
import type { Countries } from '../../../platform/geo-ip/countries.ts'
import { readOnce } from './header-cache.ts'
import { createHolders } from './holder.ts'
import { createContextTokens, type TokenClaims } from './context-token.ts'
import { deriveKey, type ReaderKeys, readerKeysFrom } from './reader-key.ts'
import type { ReaderFacts, ReaderMemory } from './reader-memory.ts'
import type {
  ReaderFields,
  SessionFields,
  MatchKeys,
  Reader,
  ReaderRequest,
  Readers,
} from './reader.ts'

export interface RequestReaders extends Readers, ReaderKeys {
  /** One memory of decoded consent strings for all routes. */
  readonly readConsent: ReadConsent
  readerOf(request: ReaderRequest, given: ReaderFields): Reader
  matchKeysOf(request: ReaderRequest, given: SessionFields): MatchKeys
  issueToken(
    statement: TokenStatement,
    lifeSeconds: number,
  ): Promise<{ token: string; expiresAt: Date }>
}

/** What a publisher's server says of one of its readers. */
export interface TokenStatement {
  readonly publisherKey: number
  readonly userId?: string | undefined
  readonly said: Readonly<Record<string, unknown>>
}

export interface ReaderDeps {
  readonly secret: string
  readonly clock: Clock
  readonly geo: Pick<Countries, 'countryOf'>
  readonly known: Pick<ReaderMemory, 'find'>
  readonly readConsent: ReadConsent
}

/** Most requests come from a few user agents. */
const AGENTS_KEPT = 10_000
const LANGUAGES_KEPT = 1_000

export function createReaders(deps: ReaderDeps): RequestReaders {
  const { secret, clock, geo, known, readConsent } = deps
  const deviceOf = readOnce(AGENTS_KEPT, deviceOfAgent)
  const languageOf = readOnce(LANGUAGES_KEPT, preferredLanguage)
  const keys = readerKeysFrom(secret)
  const tokens = createContextTokens(deriveKey(secret, 'context token'), clock)
  const holders = createHolders(secret)

  const seen = ({ headers, ip }: ReaderRequest, given: ReaderFields, said?: Statement) =>
    ({
      device: deviceOf(said?.userAgent ?? headers['user-agent']),
      // A server calls from its own address. Only the server knows its reader's.
      country: geo.countryOf(said === undefined ? ip : said.ip),
      language: asLanguage(given.language) ?? languageOf(headers['accept-language']),
      referrerDomain: domainOf(given.referrer ?? headers.referer),
    }) satisfies Context

  const believed = (token: string | undefined, publisherKey: number | undefined) => {
    const claims = token === undefined ? undefined : tokens.read(token)
    return claims?.publisherKey === publisherKey ? claims : undefined
  }

  return {
    ...keys,
    readConsent,
    maySelect: (request, given) => consentOf(readConsent, request, given).maySelect,
    matchKeysOf(request, given) {
      const { sessionId } = given
      const { mayIdentify, mayMeasure } = consentOf(readConsent, request, given)
      if (!mayIdentify || !mayMeasure) return NO_KEYS
      return {
        sessionKey: sessionId === undefined ? undefined : keys.sessionKeyOf(sessionId),
        addressKey: keys.addressKeyOf(request.ip, clock.now().getTime()),
      }
    },
    readerOf(request, given) {
      const { publisherKey } = given
      const permissions = consentOf(readConsent, request, given)
      const claims = believed(given.contextToken, publisherKey)
      const carried = claims && readStatement(claims.said)
      const said = given.isTrusted ? readStatement(given.context ?? {}) : undefined
      const userKey = permissions.mayIdentify
        ? // A sealed token comes from a server, so it outranks what the page says.
          (claims?.userKey ?? namedBy(keys, given))
        : undefined
      const stored = userKey && publisherKey ? known.find(userKey, publisherKey) : undefined
      const facts = seen(request, given, said)
      const isPlain = said === undefined && carried === undefined && stored === undefined
      return {
        context: isPlain
          ? facts
          : usable(
              mergeContexts(
                facts,
                stored && contextOf(stored, clock.now().getTime()),
                carried?.context,
                said?.context,
              ),
              permissions,
            ),
        userKey,
        permissions,
        publisherKey,
        deviceSessionId: said?.deviceSessionId ?? carried?.deviceSessionId,
        holder: given.isTrusted ? undefined : holderOf(holders, request, claims),
      }
    },
    issueToken({ publisherKey, userId, said }, lifeSeconds) {
      const userKey = userId === undefined ? undefined : keys.userKeyOf(userId, publisherKey)
      return tokens.issue({ publisherKey, userKey, said }, lifeSeconds)
    },
  }
}

const namedBy = (keys: ReaderKeys, { userId, publisherKey }: ReaderFields) =>
  userId && publisherKey !== undefined ? keys.userKeyOf(userId, publisherKey) : undefined

const holderOf = (
  holders: ReturnType<typeof createHolders>,
  { ip }: ReaderRequest,
  claims: TokenClaims | undefined,
) => (claims === undefined ? holders.ofAddress(ip) : holders.ofToken(claims.userKey, ip))

const contextOf = ({ segments, purchasedAtMs }: ReaderFacts, nowMs: number): Context => ({
  segments: segments.length > 0 ? segments : undefined,
  lastPurchaseDaysAgo: purchasedAtMs && daysSince(purchasedAtMs, nowMs),
})

const daysSince = (thenMs: number, nowMs: number) =>
  Math.max(0, Math.floor((nowMs - thenMs) / DAY_MS))

const NO_KEYS: MatchKeys = { sessionKey: undefined, addressKey: undefined }

/** What is known of a reader who refused personalisation must not influence the choice. */
function usable(context: Context, { mayPersonalise }: Permissions): Context {
  if (mayPersonalise) return context
  const { segments: _, lastPurchaseDaysAgo: __, newVisitor: ___, ...rest } = context
  return rest
}
