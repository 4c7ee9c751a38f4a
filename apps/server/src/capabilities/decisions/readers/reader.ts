import type { Context } from '@placard/decision-engine'
import type { IncomingHttpHeaders } from 'node:http'
import type { Consent, ConsentSignals, Permissions } from '../../consent/index.ts'
import type { Holder } from '../../budgets/index.ts'

/**
 * Who reads the page, as far as the server may know. Built on the server, never taken from a
 * browser.
 */
export interface Reader {
  readonly context: Context
  /**
   * Keyed hash of the publisher's own user id. Undefined without an id, or where consent forbids
   * storing it.
   */
  readonly userKey: string | undefined
  /** What the reader's consent allows. */
  readonly permissions: Permissions & Partial<Pick<Consent, 'reason'>>
  /** The account of the publisher whose reader this is. Undefined if no publisher is known. */
  readonly publisherKey: number | undefined
  /**
   * Named by the publisher's server. Travels in the tracking links, so that events of a blocked
   * session are not billed.
   */
  readonly deviceSessionId: string | undefined
  /** Whose holds are bounded together. Undefined if a key vouches for the reader. */
  readonly holder: Holder | undefined
}

/** What a request says about its reader. */
export interface ReaderFields {
  /** Whose reader. What another publisher knows of the same id is not this reader's. */
  readonly publisherKey: number | undefined
  readonly userId?: string | undefined
  /** Believed only from a trusted caller. */
  readonly context?: Readonly<Record<string, unknown>> | undefined
  /** Encrypted for the publisher's server, so it is believed from any caller, of this publisher only. */
  readonly contextToken?: string | undefined
  /** Flags and strings that the page reports. */
  readonly consent?: Readonly<Record<string, unknown>> | undefined
  /** Signals of the address or of another ad server's request. */
  readonly signals?: ConsentSignals | undefined
  readonly pageUrl?: string | undefined
  /** The address that led to the page. Empty means there was none. */
  readonly referrer?: string | undefined
  readonly language?: string | undefined
  /** The caller's key may speak for its readers. */
  readonly isTrusted: boolean
}

/**
 * The part of a request that describes its reader; a Fastify request fits. `ip` respects trusted
 * proxies.
 */
export interface ReaderRequest {
  readonly headers: IncomingHttpHeaders
  readonly query?: unknown
  readonly ip: string
}

export interface SessionFields extends Pick<ReaderFields, 'consent' | 'signals'> {
  /** The caller's own session id. */
  readonly sessionId?: string | undefined
}

/** Keyed hashes by which an event without a tracking link finds its decision. */
export interface MatchKeys {
  readonly sessionKey: string | undefined
  /** Of the address, valid within the hour. */
  readonly addressKey: string | undefined
}

export interface Readers {
  /** Empty for a reader who objects to being remembered. */
  matchKeysOf?(request: ReaderRequest, given: SessionFields): MatchKeys
  readerOf(request: ReaderRequest, given: ReaderFields): Reader
  /** Whether an ad may be chosen at all. */
  maySelect?(request: ReaderRequest, given: Pick<ReaderFields, 'consent' | 'signals'>): boolean
}
