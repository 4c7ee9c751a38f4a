import type { Context } from '@placard/decision-engine'
import type { IncomingHttpHeaders } from 'node:http'

/** Who reads the page, as far as the server may know. Made on the server, never believed from a browser. */
export interface Reader {
  readonly context: Context
  /** Keyed hash of the caller's user id; undefined without one, or where consent forbids storing. */
  readonly userKey: string | undefined
  /** As the publisher's server says; travels in the links, so that a blocked one is not billed. */
  readonly deviceSessionId: string | undefined
}

/** What a request says about its reader. */
export interface ReaderFields {
  readonly userId?: string | undefined
  /** Believed from a trusted caller only. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
  /** Signed by the publisher's server, so it is believed from anybody. */
  readonly contextToken?: string | undefined
  readonly consent?: Readonly<Record<string, unknown>> | undefined
  readonly pageUrl?: string | undefined
  readonly language?: string | undefined
  /** The caller holds a key that may speak for its readers. */
  readonly isTrusted: boolean
}

/** The part of a request that tells of its reader; Fastify's fits. `ip` minds trusted proxies. */
export interface ReaderRequest {
  readonly headers: IncomingHttpHeaders
  readonly ip: string
}

export interface SessionFields extends Pick<ReaderFields, 'consent'> {
  /** The caller's own. */
  readonly sessionId?: string | undefined
}

/** Keyed hashes by which an event without a link finds the answer it is about. */
export interface MatchKeys {
  readonly sessionKey: string | undefined
  /** Of the address within the hour. */
  readonly addressKey: string | undefined
}

export interface Readers {
  /** Nothing for a reader who does not want to be remembered. */
  matchKeysOf?(request: ReaderRequest, given: SessionFields): MatchKeys
  readerOf(request: ReaderRequest, given: ReaderFields): Reader
}
