import { HOUR_MS } from '@placard/calendar'
import type { Context } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import {
  asLanguage,
  domainOf,
  mayKeepUser,
  mergeContexts,
  preferredLanguage,
  readStatement,
  type Statement,
} from './context.ts'
import type { Countries } from '../../../platform/geo-ip/countries.ts'
import { deviceOfAgent } from './device.ts'
import { readOnce } from './header-cache.ts'
import { createContextTokens } from './context-token.ts'
import { deriveKey, userKeyFrom } from './reader-key.ts'
import type {
  ReaderFields,
  SessionFields,
  MatchKeys,
  Reader,
  ReaderRequest,
  Readers,
} from './reader.ts'
import { networkOf } from '../../../platform/network.ts'

export interface CallerReader extends ReaderFields {
  /** The address that led to the page. Empty means there was none. */
  readonly referrer?: string | undefined
}

export interface RequestReaders extends Readers {
  readerOf(request: ReaderRequest, given: CallerReader): Reader
  userKeyOf(userId: string): string
  sessionKeyOf(sessionId: string): string
  addressKeyOf(address: string, atMs: number): string
  matchKeysOf(request: ReaderRequest, given: SessionFields): MatchKeys
  issueToken(
    claims: {
      readonly userId?: string | undefined
      readonly said: Readonly<Record<string, unknown>>
    },
    lifeSeconds: number,
  ): Promise<{ token: string; expiresAt: Date }>
}

export interface ReaderDeps {
  readonly secret: string
  readonly clock: Clock
  readonly geo: Pick<Countries, 'countryOf'>
  readonly segments: { segmentsOf(userKey: string): readonly string[] | undefined }
}

/** Most requests come from a few user agents. */
const AGENTS_KEPT = 10_000
const LANGUAGES_KEPT = 1_000

export function createReaders({ secret, clock, geo, segments }: ReaderDeps): RequestReaders {
  const deviceOf = readOnce(AGENTS_KEPT, deviceOfAgent)
  const languageOf = readOnce(LANGUAGES_KEPT, preferredLanguage)
  const userKeyOf = userKeyFrom(secret)
  const sessionKeyOf = (sessionId: string) => userKeyOf(`session ${sessionId}`)
  const addressKeyOf = (address: string, atMs: number) =>
    userKeyOf(`address ${Math.floor(atMs / HOUR_MS)} ${networkOf(address)}`)
  const tokens = createContextTokens(deriveKey(secret, 'context token'), clock)

  const seen = ({ headers, ip }: ReaderRequest, given: CallerReader, said?: Statement) =>
    ({
      device: deviceOf(said?.userAgent ?? headers['user-agent']),
      // A server calls from its own address. Only the server knows its reader's.
      country: geo.countryOf(said === undefined ? ip : said.ip),
      language: asLanguage(given.language) ?? languageOf(headers['accept-language']),
      referrerDomain: domainOf(given.referrer ?? headers.referer),
    }) satisfies Context

  return {
    userKeyOf,
    sessionKeyOf,
    addressKeyOf,
    matchKeysOf(request, { sessionId, consent }) {
      if (!mayKeepUser(signalsOf(request, { consent, isTrusted: false }))) return NO_KEYS
      return {
        sessionKey: sessionId === undefined ? undefined : sessionKeyOf(sessionId),
        addressKey: addressKeyOf(request.ip, clock.now().getTime()),
      }
    },
    readerOf(request, given) {
      const claims = given.contextToken === undefined ? undefined : tokens.read(given.contextToken)
      const carried = claims && readStatement(claims.said)
      const said = given.isTrusted ? readStatement(given.context ?? {}) : undefined
      const userKey = mayKeepUser(signalsOf(request, given))
        ? // A sealed token comes from a server, so it outranks what the page says.
          (claims?.userKey ?? (given.userId ? userKeyOf(given.userId) : undefined))
        : undefined
      const stored = userKey === undefined ? undefined : segments.segmentsOf(userKey)
      const facts = seen(request, given, said)
      const isPlain = said === undefined && carried === undefined && stored === undefined
      return {
        context: isPlain
          ? facts
          : usable(
              mergeContexts(facts, { segments: stored }, carried?.context, said?.context),
              given.consent,
            ),
        userKey,
        deviceSessionId: said?.deviceSessionId ?? carried?.deviceSessionId,
      }
    },
    issueToken({ userId, said }, lifeSeconds) {
      const userKey = userId === undefined ? undefined : userKeyOf(userId)
      return tokens.issue({ userKey, said }, lifeSeconds)
    },
  }
}

const NO_KEYS: MatchKeys = { sessionKey: undefined, addressKey: undefined }

const signalsOf = ({ headers }: ReaderRequest, { consent }: CallerReader) => ({
  globalPrivacyControl: headers['sec-gpc'],
  doNotTrack: headers.dnt,
  consent,
})

/** Segments and purchases of a reader who refused personalisation must not influence the choice. */
function usable(context: Context, consent: ReaderFields['consent']): Context {
  if (consent?.['personalisation'] !== false) return context
  const { segments: _, lastPurchaseDaysAgo: __, ...rest } = context
  return rest
}
