import type { LeanRequest } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Clock } from '../../../platform/clock.ts'
import { consentOf, type GivenConsent, type ReadConsent } from '../../consent/index.ts'
import type { Claims, WinnerKeys } from '../links/claims.ts'
import { type Destination, withoutQuery } from '../links/landing-url.ts'
import {
  type Circumstances,
  eventFrom,
  type EventKind,
  judgeTime,
  unlinkedEventId,
  type TrackedEvent,
  utcDayOf,
} from './event.ts'
import type { Ingest, Receipt } from './ingest.ts'
import type { RequestOrigin } from './labels.ts'
import type { Label } from './labels.ts'
import type { Purpose, Sealer } from '../links/token.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import type { StoredEventKey } from '../settlement/store-events.ts'

/** Finds the auction that an event without a tracking link may belong to. */
export interface AuctionQuery {
  readonly adId?: string | undefined
  readonly bannerId?: string | undefined
  readonly placementSlug?: string | undefined
  readonly placementId?: string | undefined
  readonly campaignId?: string | undefined
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  /** The reader's address; never stored. */
  readonly address?: string | undefined
  /** Of a publisher's caller only its own readers are found. */
  readonly caller?: Principal | undefined
  /** Both ends are included. */
  readonly fromMs: number
  readonly toMs: number
}

export type AuctionMatch =
  /** At least one, the likeliest first. */
  | { readonly verdict: 'matched'; readonly showings: readonly Claims[] }
  /** The ad or banner exists, but no auction of this user shows it. */
  | { readonly verdict: 'unmatched'; readonly winner: WinnerKeys; readonly placementKey?: number }
  | { readonly verdict: 'unknown' }

export interface TooOld {
  readonly eventId: string
  readonly claimedAtMs: number
  readonly receivedAtMs: number
  readonly event: unknown
}

/** The request fields that tracking reads. */
export type TrackingRequest = Pick<LeanRequest, 'headers' | 'ip'> &
  Partial<Pick<LeanRequest, 'principal' | 'host'>> & {
    readonly query?: unknown
    readonly body?: unknown
  }

export interface TrackingDeps {
  readonly clock: Clock
  readonly sealer: Sealer
  readonly readConsent: ReadConsent
  readonly ingest: Pick<Ingest, 'accept'>
  labelRequest(origin: RequestOrigin): Label
  /** Device and country, detected as for a decision. */
  describe?(request: TrackingRequest): Pick<TrackedEvent, 'deviceType' | 'countryCode'>
  destinationOf(claims: Claims): Promise<Destination | undefined>
  /** Schemes that a landing page may have. Default: `http` and `https`. */
  /** Query parameter that hands the click id to the landing page. Empty: none. */
  readonly clickIdParameter?: string | undefined
  readonly linkSchemes?: ReadonlySet<string> | undefined
  findAuction(query: AuctionQuery): Promise<AuctionMatch>
  /**
   * Resolves when the record of a recent decision should be written, or at once if too many callers
   * wait.
   */
  recorded?(): Promise<void>
  /** Times of stored events by id. */
  listStoredTimes(events: readonly StoredEventKey[]): Promise<ReadonlyMap<string, number>>
  siteDomainOf?(siteKey: number): string | undefined
  /** The caller holds a key of the placement's publisher. */
  vouchesFor?(principal: Principal | undefined, placementKey: number | undefined): boolean
  quarantine(event: TooOld): Promise<void>
  /** Called when a click was redirected although it could not be stored. */
  clickLost?(): void
}

/** What the caller reports about an event. */
export interface EventReport {
  readonly kind: EventKind
  /** Of progress: which. */
  readonly name?: string | undefined
  readonly occurredAt?: string | undefined
  readonly pageUrl?: string | undefined
  readonly otherUrl?: string | undefined
  readonly sessionId?: string | undefined
  readonly deviceType?: string | undefined
  readonly countryCode?: string | undefined
  /** The reader's user agent, if the publisher's server reports it. */
  readonly userAgent?: string | undefined
  readonly ip?: string | undefined
  /** An exchange with a key reports it: the sender is not the reader, and nothing tells who is. */
  readonly isSealed?: boolean | undefined
  /** Counted only from a valid sender: another would take the place of the reader's own event. */
  readonly countsOnlyValid?: boolean | undefined
}

export type Outcome = Receipt | 'uncounted' | 'expired' | 'forged' | 'other-kind' | 'too-old'

export type LinkedReport = EventReport & {
  readonly token: string
  /** What the token is used for. Default: the kind of the event. */
  readonly purpose?: Purpose
}

/**
 * Counts an event that carries a tracking link. This runs for every impression, so it creates no
 * promise beyond the one of `accept`.
 */
export function trackToken(
  deps: TrackingDeps,
  request: TrackingRequest,
  report: LinkedReport,
): Outcome | Promise<Outcome> {
  const nowMs = deps.clock.now().getTime()
  const { token, purpose = report.kind } = report
  const opened = deps.sealer.open(token, { purpose, nowMs })
  if (opened.verdict === 'forged' || opened.verdict === 'other-kind') return opened.verdict
  const isExpired = opened.verdict === 'expired'
  if (isExpired && isForgotten(opened.claims, nowMs)) return 'expired'

  const circumstances = circumstancesOf(deps, request, { report, claims: opened.claims, nowMs })
  if (circumstances instanceof Promise) return circumstances
  if (report.countsOnlyValid && (isExpired || circumstances.label !== 'valid')) return 'uncounted'
  const labelled: Circumstances = isExpired ? { ...circumstances, label: 'expired' } : circumstances
  const event = eventFrom(opened.claims, report.kind, labelled)
  const receipt = deps.ingest.accept(isPrivate(deps, request) ? withoutUser(event) : event)
  return isExpired ? receipt.then((safe) => (safe === 'refused' ? safe : 'expired')) : receipt
}

/** Partitions of older days may be dropped, so an event for them cannot be stored. */
const KEPT_DAYS = 45
const isForgotten = ({ utcDay }: Claims, nowMs: number) => utcDayOf(nowMs) - utcDay > KEPT_DAYS

interface ReportContext {
  readonly report: EventReport
  readonly claims: Pick<Claims, 'siteKey' | 'placementKey'> & Partial<Claims>
  readonly nowMs: number
}

/** The reader of the request. For a publisher's server, the reader it reports for. */
function readerOf(deps: TrackingDeps, request: TrackingRequest, { report, claims }: ReportContext) {
  if (report.isSealed) return { isVouched: true, address: undefined, userAgent: undefined }
  if (request.principal === undefined || !deps.vouchesFor?.(request.principal, claims.placementKey))
    return { isVouched: false, address: request.ip, userAgent: request.headers['user-agent'] }
  return { isVouched: true, address: report.ip, userAgent: report.userAgent }
}

/** What the event is about, in the fields of a stored event. */
const subjectOf = ({ winner }: ReportContext['claims']) => ({
  source: winner?.source,
  winnerKey: winner?.key,
  bannerKey: winner?.bannerKey,
  campaignKey: winner?.campaignKey,
})

export function circumstancesOf(
  deps: TrackingDeps,
  request: TrackingRequest,
  context: ReportContext,
): Circumstances | Promise<'too-old'> {
  const { report, claims, nowMs } = context
  const claimedMs = report.occurredAt === undefined ? undefined : Date.parse(report.occurredAt)
  const time = judgeTime(claimedMs, nowMs)
  if (time.verdict === 'too-old') {
    const eventId = unlinkedEventId(nowMs, JSON.stringify([claims.decisionId, report]))
    const old = {
      eventId,
      claimedAtMs: claimedMs!,
      receivedAtMs: nowMs,
      event: { ...subjectOf(claims), ...report },
    }
    return deps.quarantine(old).then(() => 'too-old')
  }

  const { isVouched, address, userAgent } = readerOf(deps, request, context)
  return {
    ...describe(deps, request, { report, isVouched, address, userAgent }),
    name: report.kind === 'progress' ? report.name : undefined,
    sessionId: claims.deviceSessionId ?? cleanText(report.sessionId),
    pageUrl: withoutQuery(report.pageUrl),
    otherUrl: report.kind === 'click' ? cleanText(report.otherUrl) : withoutQuery(report.otherUrl),
    occurredAtMs: time.occurredAtMs,
    receivedAtMs: nowMs,
    clock: time.clock,
    label: deps.labelRequest({
      kind: report.kind,
      purpose: purposeOf(request),
      userKey: claims.userKey,
      isWrongSite: !isVouched && isWrongSite(deps, request, { claims, kind: report.kind }),
      isTooEarly: isTooEarly(claims.issuedAtMs, time.occurredAtMs),
      address,
      userAgent,
      isVouched,
      // The session in the encrypted link wins over the one that the page sends.
      sessionId: claims.deviceSessionId ?? report.sessionId,
      siteKey: claims.siteKey ?? claims.placementKey,
      nowMs,
    }),
  }
}

/** A reader's clock may be off by minutes, not more. */
const EARLY_MS_MAX = 5 * 60_000
const isTooEarly = (decidedAtMs: number | undefined, occurredAtMs: number) =>
  decidedAtMs !== undefined && decidedAtMs - occurredAtMs > EARLY_MS_MAX

function purposeOf({ headers }: TrackingRequest): string | undefined {
  const purpose = headers['sec-purpose'] ?? headers['purpose']
  return typeof purpose === 'string' ? purpose : undefined
}

interface Placed {
  readonly claims: ReportContext['claims']
  readonly kind: EventKind
}

/**
 * An event must come from the page that requested its ad: Origin or Referer name the site, or
 * Placard itself for the demo's pages. If a page requested the ad, its impressions and views must
 * name it too. A click may come without either, because a link can ask for that.
 */
function isWrongSite(
  { siteDomainOf }: TrackingDeps,
  { headers, host }: TrackingRequest,
  { claims, kind }: Placed,
): boolean {
  const domain = claims.siteKey === undefined ? undefined : siteDomainOf?.(claims.siteKey)
  if (domain === undefined) return false
  const from = hostOf(headers.origin) ?? hostOf(headers.referer)
  if (from === undefined) return claims.isFromPage === true && kind !== 'click'
  return !isOnSite(from, domain) && from !== hostOf(`http://${host}`)
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]'])

/** This machine under its different names. */
function hostOf(address: string | undefined): string | undefined {
  const name = address === undefined ? undefined : URL.parse(address)?.hostname
  return name !== undefined && LOOPBACK.has(name) ? 'localhost' : name || undefined
}

const isOnSite = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

interface Described {
  readonly report: EventReport
  readonly isVouched: boolean
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

/** What a server reports wins. A page may state its device only if the request does not show it. */
function describe(
  { describe: described }: TrackingDeps,
  request: TrackingRequest,
  { report, isVouched, address, userAgent }: Described,
): Pick<TrackedEvent, 'deviceType' | 'countryCode'> {
  const seen = isVouched
    ? described?.({ ip: address ?? '', headers: { 'user-agent': userAgent } })
    : described?.(request)
  if (isVouched) {
    return {
      deviceType: report.deviceType ?? seen?.deviceType,
      countryCode: report.countryCode ?? seen?.countryCode,
    }
  }
  return { deviceType: seen?.deviceType ?? report.deviceType, countryCode: seen?.countryCode }
}

const TEXT_MAX = 2_048

function cleanText(text: string | undefined): string | undefined {
  // oxlint-disable-next-line no-control-regex -- PostgreSQL takes no NUL, and nobody needs the others
  const clean = text?.toWellFormed().replaceAll(/[\u0000-\u001f\u007f]/g, '')
  return clean?.slice(0, TEXT_MAX) || undefined
}

/** A user who refuses to be measured is counted, and not stored. */
export function isPrivate(
  { readConsent }: Pick<TrackingDeps, 'readConsent'>,
  request: TrackingRequest,
): boolean {
  const { mayIdentify, mayMeasure } = consentOf(readConsent, request, consentIn(request.body))
  return !mayIdentify || !mayMeasure
}

/** A reader may refuse after the ad was served. */
function consentIn(body: unknown): GivenConsent | undefined {
  if (typeof body !== 'object' || body === null || !('consent' in body)) return undefined
  const { consent } = body
  return typeof consent === 'object' && consent !== null ? { consent: { ...consent } } : undefined
}

export const withoutUser = (event: TrackedEvent): TrackedEvent => ({
  ...event,
  userKey: undefined,
  sessionId: undefined,
})
