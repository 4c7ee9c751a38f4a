import type { Asked } from '../../../platform/http/fast-lane/fast-lane.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Claims, WinnerKeys } from '../links/claims.ts'
import { type Destination, withoutQuery } from '../links/landing-url.ts'
import {
  type Circumstances,
  eventFrom,
  type EventKind,
  judgeTime,
  looseEventId,
  seenKeyOf,
  type TrackedEvent,
  utcDayOf,
} from './event.ts'
import type { Ingest, Receipt } from './ingest.ts'
import type { Sender } from './sender.ts'
import type { Label } from './quality.ts'
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
export type Sent = Pick<Asked, 'headers' | 'ip'>

export interface TrackingDeps {
  readonly clock: Clock
  readonly sealer: Sealer
  readonly ingest: Pick<Ingest, 'accept'>
  judgeSender(sender: Sender): Label
  /** Device and country, detected as for a decision. */
  describe?(request: Sent): Pick<TrackedEvent, 'deviceType' | 'countryCode'>
  destinationOf(claims: Claims): Promise<Destination | undefined>
  /** Schemes that a landing page may have; `http` and `https` by default. */
  readonly linkSchemes?: ReadonlySet<string> | undefined
  findAuction(query: AuctionQuery): Promise<AuctionMatch>
  quarantine(event: TooOld): Promise<void>
  /** A click was redirected although it could not be stored. */
  clickLost?(): void
}

export interface Told {
  readonly kind: EventKind
  readonly occurredAt?: string | undefined
  readonly pageUrl?: string | undefined
  readonly otherUrl?: string | undefined
  readonly sessionId?: string | undefined
}

export type Outcome = Receipt | 'expired' | 'forged' | 'other-kind' | 'too-old'

export type TokenTold = Told & { readonly token: string }

/**
 * Counts an event that carries a tracking link. This runs for every impression, so it creates no
 * promise beyond the one of `accept`.
 */
export function trackToken(
  deps: TrackingDeps,
  request: Sent,
  told: TokenTold,
): Outcome | Promise<Outcome> {
  const nowMs = deps.clock.now().getTime()
  const opened = deps.sealer.open(told.token, { purpose: told.kind, nowMs })
  if (opened.verdict === 'forged' || opened.verdict === 'other-kind') return opened.verdict
  const isExpired = opened.verdict === 'expired'
  if (isExpired && isForgotten(opened.claims, nowMs)) return 'expired'

  const its = circumstances(deps, request, { told, claims: opened.claims, nowMs })
  if (its instanceof Promise) return its
  const labelled: Circumstances = isExpired ? { ...its, label: 'expired' } : its
  const event = eventFrom(opened.claims, told.kind, labelled)
  const receipt = deps.ingest.accept(isPrivate(request) ? withoutUser(event) : event)
  return isExpired ? receipt.then((safe) => (safe === 'refused' ? safe : 'expired')) : receipt
}

/** Partitions of older days may be dropped, so an event for them cannot be stored. */
const KEPT_DAYS = 45
const isForgotten = ({ utcDay }: Claims, nowMs: number) => utcDayOf(nowMs) - utcDay > KEPT_DAYS

interface Facts {
  readonly told: Told
  readonly claims: Pick<Claims, 'siteKey' | 'placementKey'> & Partial<Claims>
  readonly nowMs: number
}

function circumstances(
  deps: TrackingDeps,
  request: Sent,
  { told, claims, nowMs }: Facts,
): Circumstances | Promise<'too-old'> {
  const claimedMs = told.occurredAt === undefined ? undefined : Date.parse(told.occurredAt)
  const time = judgeTime(claimedMs, nowMs)
  if (time.verdict === 'too-old') {
    const eventId = looseEventId(nowMs, JSON.stringify([claims.decisionId, told]))
    const old = { eventId, claimedAtMs: claimedMs!, receivedAtMs: nowMs, event: told }
    return deps.quarantine(old).then(() => 'too-old')
  }

  return {
    ...deps.describe?.(request),
    sessionId: claims.deviceSessionId ?? cleanText(told.sessionId),
    pageUrl: withoutQuery(told.pageUrl),
    otherUrl: told.kind === 'click' ? cleanText(told.otherUrl) : withoutQuery(told.otherUrl),
    occurredAtMs: time.occurredAtMs,
    receivedAtMs: nowMs,
    clock: time.clock,
    label: deps.judgeSender({
      address: request.ip,
      userAgent: request.headers['user-agent'],
      // The session in the encrypted link wins over the one that the page sends.
      sessionId: claims.deviceSessionId ?? told.sessionId,
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
export const isPrivate = ({ headers }: Sent): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1'

const withoutUser = (event: TrackedEvent): TrackedEvent => ({
  ...event,
  userKey: undefined,
  sessionId: undefined,
})

export interface LooseTold extends Told {
  /**
   * The caller's own event id. Without one, events with the same ad, user and minute are one event.
   */
  readonly ownId: string | undefined
  readonly query: Omit<AuctionQuery, 'fromMs' | 'toMs'>
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Counts an event without a tracking link: matched to an auction, or stored and never billed. */
export async function trackLoose(
  deps: TrackingDeps,
  request: Sent,
  told: LooseTold,
): Promise<Outcome | 'unknown'> {
  const nowMs = deps.clock.now().getTime()
  const its = await circumstances(deps, request, { told, claims: NOWHERE, nowMs })
  if (its === 'too-old') return 'too-old'

  const toMs = its.occurredAtMs
  const match = await deps.findAuction({ ...told.query, fromMs: toMs - HOUR_MS, toMs })
  if (match.verdict === 'unknown') return 'unknown'
  const { adId, bannerId, userId } = told.query
  const minute = Math.floor(toMs / MINUTE_MS)
  const own = told.ownId ?? JSON.stringify([adId, bannerId, userId, told.sessionId, minute])
  const seenKey = seenKeyOf(`${told.kind} ${own}`)
  const event =
    match.verdict === 'matched'
      ? eventFrom(match.claims, told.kind, its)
      : unmatched({ ...told, own, match, its })
  const kept = { ...event, seenKey }
  return deps.ingest.accept(isPrivate(request) ? withoutUser(kept) : kept)
}

const NOWHERE = { siteKey: undefined, placementKey: undefined }

interface Unmatched {
  readonly kind: EventKind
  readonly own: string
  readonly match: Extract<AuctionMatch, { verdict: 'unmatched' }>
  readonly its: Circumstances
}

function unmatched({ kind, own, match, its }: Unmatched): TrackedEvent {
  const { source, key, ...keys } = match.winner
  const day = utcDayOf(its.receivedAtMs)
  return {
    kind,
    eventId: looseEventId(its.receivedAtMs, `${kind} ${own}`),
    decisionDay: day,
    budgetDay: day,
    position: 0,
    source,
    winnerKey: key,
    ...keys,
    placementKey: match.placementKey,
    pricing: 'cpm',
    chargeMicros: 0,
    ...its,
    label: its.label === 'valid' ? 'unmatched' : its.label,
  }
}
