import { HOUR_MS, MINUTE_MS } from '@placard/calendar'
import type { Claims, WinnerKeys } from '../links/claims.ts'
import { judgeClick } from '../settlement/clicks.ts'
import {
  type Circumstances,
  eventFrom,
  eventIdOf,
  type DeliveryKind,
  seenKeyOf,
  type TrackedEvent,
  unlinkedEventId,
  utcDayOf,
} from './event.ts'
import {
  type AuctionMatch,
  type AuctionQuery,
  circumstancesOf,
  type EventReport,
  isPrivate,
  type Outcome,
  type TrackingDeps,
  type TrackingRequest,
  withoutUser,
} from './track.ts'

export interface UnlinkedReport extends EventReport {
  readonly kind: 'impression' | 'click'
  /**
   * The caller's own event id. Without one, events with the same ad, reader and minute are one event.
   */
  readonly ownId: string | undefined
  readonly query: Omit<AuctionQuery, 'fromMs' | 'toMs' | 'address' | 'caller'>
}

/** The reader's clock may be behind the server's. */
const SKEW_MS = 5 * MINUTE_MS

/**
 * Counts an event without a tracking link for the auction it matches. It is billed only if a key of
 * the publisher vouches for it.
 */
export async function trackUnlinked(
  deps: TrackingDeps,
  request: TrackingRequest,
  report: UnlinkedReport,
): Promise<Outcome | 'unknown'> {
  const nowMs = deps.clock.now().getTime()
  const match = await findMatch(deps, request, { report, nowMs })
  if (match.verdict === 'unknown') return 'unknown'

  const place = match.verdict === 'matched' ? match.showings[0]! : match
  const claims = { siteKey: undefined, placementKey: place.placementKey }
  const circumstances = await circumstancesOf(deps, request, { report, claims, nowMs })
  if (circumstances === 'too-old') return 'too-old'

  const own = report.ownId ?? reportedBy(request, report, circumstances.occurredAtMs)
  const isVouched = deps.vouchesFor?.(request.principal, place.placementKey) === true
  const found = { kind: report.kind, own, circumstances, isVouched }
  const event =
    match.verdict === 'matched'
      ? await matched(deps, match.showings, found)
      : apart(match, { ...found, why: 'unmatched' })
  const kept = { ...event, seenKey: seenKeyOf(`${report.kind} ${own}`) }
  return deps.ingest.accept(isPrivate(deps, request) ? withoutUser(kept) : kept)
}

/** Identifies the reporter and what is reported, within a minute. */
function reportedBy({ ip }: TrackingRequest, { query, sessionId }: UnlinkedReport, atMs: number) {
  const { adId, bannerId, placementId, placementSlug, userId } = query
  const reader = userId ?? sessionId ?? ip
  const place = placementId ?? placementSlug
  return JSON.stringify([adId, bannerId, place, reader, Math.floor(atMs / MINUTE_MS)])
}

interface Reported {
  readonly report: UnlinkedReport
  readonly nowMs: number
}

/** The event may arrive before its decision's record is written. */
async function findMatch(
  deps: TrackingDeps,
  request: TrackingRequest,
  { report, nowMs }: Reported,
): Promise<AuctionMatch> {
  const claimedMs = report.occurredAt === undefined ? nowMs : Date.parse(report.occurredAt)
  const toMs = Math.min(claimedMs + SKEW_MS, nowMs)
  const address = isPrivate(deps, request) ? undefined : (report.ip ?? request.ip)
  const fromMs = Math.min(claimedMs, nowMs) - HOUR_MS
  const query = { ...report.query, caller: request.principal, address, fromMs, toMs }
  const match = await deps.findAuction(query)
  if (match.verdict !== 'unmatched' || deps.recorded === undefined) return match
  await deps.recorded()
  return deps.findAuction(query)
}

interface Found {
  readonly kind: 'impression' | 'click'
  readonly own: string
  readonly circumstances: Circumstances
  readonly isVouched: boolean
}

const idOf = ({ decisionId, position }: Claims, kind: DeliveryKind) =>
  eventIdOf(decisionId, kind, position)

/** Of several matching decisions, the first whose event is not stored yet. */
async function matched(
  deps: TrackingDeps,
  showings: readonly Claims[],
  found: Found,
): Promise<TrackedEvent> {
  const { kind, circumstances, isVouched } = found
  const times = await deps.listStoredTimes(
    showings.flatMap((claims) => {
      const keyOf = (kind: DeliveryKind) => ({
        kind,
        decisionDay: claims.utcDay,
        eventId: idOf(claims, kind),
      })
      return kind === 'click' ? [keyOf('click'), keyOf('impression')] : [keyOf(kind)]
    }),
  )
  const open = showings.filter((claims) => !times.has(idOf(claims, kind)))
  const [claims = showings[0]!] =
    kind === 'click' ? open.toSorted((a, b) => seenFirst(a) - seenFirst(b)) : open
  function seenFirst(claims: Claims): number {
    return times.has(idOf(claims, 'impression')) ? 0 : 1
  }

  if (isVouched) return eventFrom(claims, kind, circumstances)
  // An unvouched event must not take the place of one that is vouched for later.
  const label =
    kind === 'click' && circumstances.label === 'valid'
      ? judgeClick(circumstances.occurredAtMs, times.get(idOf(claims, 'impression')))
      : circumstances.label
  if (label !== 'valid') return apart(claims, { ...found, why: label })
  return { ...eventFrom(claims, kind, circumstances), isUnvouched: true }
}

interface Place {
  readonly winner: WinnerKeys
  readonly placementKey?: number | undefined
}

/** An event without a matching decision: stored with its reason, never billed. */
function apart(
  { winner: { source, key, ...keys }, placementKey }: Place,
  { kind, own, circumstances, why }: Found & { readonly why: Circumstances['label'] },
): TrackedEvent {
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
    placementKey: placementKey === undefined || placementKey < 0 ? undefined : placementKey,
    pricing: 'cpm',
    chargeMicros: 0,
    ...circumstances,
    label: circumstances.label === 'valid' ? why : circumstances.label,
  }
}
