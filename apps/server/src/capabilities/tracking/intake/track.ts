import type { Asked } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Claims, WinnerKeys } from '../links/claims.ts'
import { type Destination, withoutQuery } from '../links/landing-url.ts'
import {
  type Circumstances,
  eventFrom,
  type EventKind,
  judgeTime,
  unlinkedEventId,
  seenKeyOf,
  type TrackedEvent,
  utcDayOf,
} from './event.ts'
import type { Ingest, Receipt } from './ingest.ts'
import type { RequestOrigin } from './labels.ts'
import type { Label } from './labels.ts'
import type { Sealer } from '../links/token.ts'

/** Finds the auction that an event without a tracking link may belong to. */
export interface AuctionQuery {
  readonly adId?: string | undefined
  readonly bannerId?: string | undefined
  readonly placementSlug?: string | undefined
  readonly campaignId?: string | undefined
  readonly userId?: string | undefined
  /** Both included. */
  readonly fromMs: number
  readonly toMs: number
}

export type AuctionMatch =
  | { readonly verdict: 'matched'; readonly claims: Claims }
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
export type TrackingRequest = Pick<Asked, 'headers' | 'ip'>

export interface TrackingDeps {
  readonly clock: Clock
  readonly sealer: Sealer
  readonly ingest: Pick<Ingest, 'accept'>
  labelRequest(origin: RequestOrigin): Label
  /** Device and country, detected as for a decision. */
  describe?(request: TrackingRequest): Pick<TrackedEvent, 'deviceType' | 'countryCode'>
  destinationOf(claims: Claims): Promise<Destination | undefined>
  /** Schemes that a landing page may have; `http` and `https` by default. */
  readonly linkSchemes?: ReadonlySet<string> | undefined
  findAuction(query: AuctionQuery): Promise<AuctionMatch>
  quarantine(event: TooOld): Promise<void>
  /** A click was redirected although it could not be stored. */
  clickLost?(): void
}

/** What the caller reports about an event. */
export interface EventReport {
  readonly kind: EventKind
  readonly occurredAt?: string | undefined
  readonly pageUrl?: string | undefined
  readonly otherUrl?: string | undefined
  readonly sessionId?: string | undefined
}

export type Outcome = Receipt | 'expired' | 'forged' | 'other-kind' | 'too-old'

export type LinkedReport = EventReport & { readonly token: string }

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
  const opened = deps.sealer.open(report.token, { purpose: report.kind, nowMs })
  if (opened.verdict === 'forged' || opened.verdict === 'other-kind') return opened.verdict
  const isExpired = opened.verdict === 'expired'
  if (isExpired && isForgotten(opened.claims, nowMs)) return 'expired'

  const circumstances = circumstancesOf(deps, request, { report, claims: opened.claims, nowMs })
  if (circumstances instanceof Promise) return circumstances
  const labelled: Circumstances = isExpired ? { ...circumstances, label: 'expired' } : circumstances
  const event = eventFrom(opened.claims, report.kind, labelled)
  const receipt = deps.ingest.accept(isPrivate(request) ? withoutUser(event) : event)
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

function circumstancesOf(
  deps: TrackingDeps,
  request: TrackingRequest,
  { report, claims, nowMs }: ReportContext,
): Circumstances | Promise<'too-old'> {
  const claimedMs = report.occurredAt === undefined ? undefined : Date.parse(report.occurredAt)
  const time = judgeTime(claimedMs, nowMs)
  if (time.verdict === 'too-old') {
    const eventId = unlinkedEventId(nowMs, JSON.stringify([claims.decisionId, report]))
    const old = { eventId, claimedAtMs: claimedMs!, receivedAtMs: nowMs, event: report }
    return deps.quarantine(old).then(() => 'too-old')
  }

  return {
    ...deps.describe?.(request),
    sessionId: claims.deviceSessionId ?? cleanText(report.sessionId),
    pageUrl: withoutQuery(report.pageUrl),
    otherUrl: report.kind === 'click' ? cleanText(report.otherUrl) : withoutQuery(report.otherUrl),
    occurredAtMs: time.occurredAtMs,
    receivedAtMs: nowMs,
    clock: time.clock,
    label: deps.labelRequest({
      address: request.ip,
      userAgent: request.headers['user-agent'],
      // The session in the encrypted link wins over the one that the page sends.
      sessionId: claims.deviceSessionId ?? report.sessionId,
      siteKey: claims.siteKey ?? claims.placementKey,
      nowMs,
    }),
  }
}

const TEXT_MAX = 2_048

function cleanText(text: string | undefined): string | undefined {
  // oxlint-disable-next-line no-control-regex -- PostgreSQL takes no NUL, and nobody needs the others
  const clean = text?.toWellFormed().replaceAll(/[\u0000-\u001f\u007f]/g, '')
  return clean?.slice(0, TEXT_MAX) || undefined
}

/** A user who opts out is counted but not stored. */
export const isPrivate = ({ headers }: TrackingRequest): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1'

const withoutUser = (event: TrackedEvent): TrackedEvent => ({
  ...event,
  userKey: undefined,
  sessionId: undefined,
})

export interface UnlinkedReport extends EventReport {
  /**
   * The caller's own event id. Without one, events with the same ad, user and minute are one event.
   */
  readonly ownId: string | undefined
  readonly query: Omit<AuctionQuery, 'fromMs' | 'toMs'>
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Counts an event without a tracking link: matched to an auction, or stored and never billed. */
export async function trackUnlinked(
  deps: TrackingDeps,
  request: TrackingRequest,
  report: UnlinkedReport,
): Promise<Outcome | 'unknown'> {
  const nowMs = deps.clock.now().getTime()
  const circumstances = await circumstancesOf(deps, request, { report, claims: NOWHERE, nowMs })
  if (circumstances === 'too-old') return 'too-old'

  const toMs = circumstances.occurredAtMs
  const match = await deps.findAuction({ ...report.query, fromMs: toMs - HOUR_MS, toMs })
  if (match.verdict === 'unknown') return 'unknown'
  const { adId, bannerId, userId } = report.query
  const minute = Math.floor(toMs / MINUTE_MS)
  const own = report.ownId ?? JSON.stringify([adId, bannerId, userId, report.sessionId, minute])
  const seenKey = seenKeyOf(`${report.kind} ${own}`)
  const event =
    match.verdict === 'matched'
      ? eventFrom(match.claims, report.kind, circumstances)
      : unmatched({ ...report, own, match, circumstances })
  const kept = { ...event, seenKey }
  return deps.ingest.accept(isPrivate(request) ? withoutUser(kept) : kept)
}

const NOWHERE = { siteKey: undefined, placementKey: undefined }

interface Unmatched {
  readonly kind: EventKind
  readonly own: string
  readonly match: Extract<AuctionMatch, { verdict: 'unmatched' }>
  readonly circumstances: Circumstances
}

function unmatched({ kind, own, match, circumstances }: Unmatched): TrackedEvent {
  const { source, key, ...keys } = match.winner
  const day = utcDayOf(circumstances.receivedAtMs)
  return {
    kind,
    eventId: unlinkedEventId(circumstances.receivedAtMs, `${kind} ${own}`),
    decisionDay: day,
    budgetDay: day,
    position: 0,
    source,
    winnerKey: key,
    ...keys,
    placementKey: match.placementKey,
    pricing: 'cpm',
    chargeMicros: 0,
    ...circumstances,
    label: circumstances.label === 'valid' ? 'unmatched' : circumstances.label,
  }
}
