import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '@placard/decision-engine'
import type { Clock } from '../../platform/clock.ts'
import type { Principal } from '../../platform/http/principal.ts'
import {
  asLanguage,
  domainOf,
  mayKeepUser,
  mergeContexts,
  preferredLanguage,
  readStatement,
  type Statement,
} from './context.ts'
import type { Countries } from './context-country.ts'
import { deviceOfAgent } from './context-device.ts'
import { readOnce } from './context-memory.ts'
import { createContextTokens, type TokenClaims } from './context-token.ts'
import { deriveKey, userKeyFrom } from './reader-key.ts'
import type { Reader } from './reader.ts'

/** The part of a request that tells of its reader; Fastify's fits. `ip` minds trusted proxies. */
export interface ReaderRequest {
  readonly headers: IncomingHttpHeaders
  readonly ip: string
  /** Undefined is a browser: what it claims of its reader is not believed. */
  readonly principal: Principal | undefined
}

/** What the body or the query of a request for ads says about its reader. */
export interface GivenReader {
  /** The caller's own id of the user; kept as a keyed hash, and nowhere else. */
  readonly userId?: string | undefined
  readonly lang?: string | undefined
  /** The address that led to the page; an empty one says that there was none. */
  readonly referrer?: string | undefined
  /** False, or any flag that is false: nothing is kept under the user's key. */
  readonly consent?: boolean | Readonly<Record<string, unknown>> | undefined
  readonly contextToken?: string | undefined
  /** Only of a caller with `decisions:write`; ignored from anybody else. */
  readonly userContext?: Readonly<Record<string, unknown>> | undefined
}

export interface Readers {
  /** A promise only where a context token is seen for the first time. */
  readerOf(request: ReaderRequest, given: GivenReader): Reader | Promise<Reader>
  userKeyOf(userId: string): string
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

const SPEAKS_FOR_READERS = 'decisions:write'
/** Most requests come from a few of them. */
const AGENTS_KEPT = 10_000
const LANGUAGES_KEPT = 1_000

export function createReaders({ secret, clock, geo, segments }: ReaderDeps): Readers {
  const deviceOf = readOnce(AGENTS_KEPT, deviceOfAgent)
  const languageOf = readOnce(LANGUAGES_KEPT, preferredLanguage)
  const userKeyOf = userKeyFrom(secret)
  const tokens = createContextTokens(deriveKey(secret, 'context token'), clock)

  const seen = (request: ReaderRequest, given: GivenReader, said: Statement | undefined) => {
    const { headers } = request
    // A server calls from its own address; where its reader is, only it can tell.
    const address = said === undefined ? request.ip : said.ip
    return {
      device: deviceOf(said?.userAgent ?? headers['user-agent']),
      country: geo.countryOf(address),
      language: asLanguage(given.lang) ?? languageOf(headers['accept-language']),
      referrerDomain: domainOf(given.referrer ?? headers.referer),
    } satisfies Context
  }

  const make = (request: ReaderRequest, given: GivenReader, claims?: TokenClaims): Reader => {
    const isServer = request.principal?.permissions.has(SPEAKS_FOR_READERS) === true
    const said = isServer ? readStatement(given.userContext ?? {}) : undefined
    const carried = claims === undefined ? undefined : readStatement(claims.said)
    const userKey = allowsKey(request, given) ? keyOf(given, claims, userKeyOf) : undefined
    const stored = userKey === undefined ? undefined : segments.segmentsOf(userKey)
    const facts = seen(request, given, said)

    return {
      context:
        said === undefined && carried === undefined && stored === undefined
          ? facts
          : mergeContexts(facts, { segments: stored }, carried?.context ?? {}, said?.context ?? {}),
      userKey,
      deviceSessionId: said?.deviceSessionId ?? carried?.deviceSessionId,
    }
  }

  return {
    userKeyOf,
    readerOf(request, given) {
      if (given.contextToken === undefined) return make(request, given)
      const claims = tokens.read(given.contextToken)
      if (claims instanceof Promise) return claims.then((claims) => make(request, given, claims))
      return make(request, given, claims)
    },
    issueToken({ userId, said }, lifeSeconds) {
      const userKey = userId === undefined ? undefined : userKeyOf(userId)
      return tokens.issue({ userKey, said }, lifeSeconds)
    },
  }
}

const allowsKey = ({ headers }: ReaderRequest, { consent }: GivenReader) =>
  mayKeepUser({ globalPrivacyControl: headers['sec-gpc'], doNotTrack: headers.dnt, consent })

/** A sealed key was given by a server: it outranks what the page says. */
function keyOf(
  { userId }: GivenReader,
  claims: TokenClaims | undefined,
  userKeyOf: Readers['userKeyOf'],
): string | undefined {
  return claims?.userKey ?? (userId ? userKeyOf(userId) : undefined)
}
