import { hash } from 'node:crypto'
import { DAY_MS } from '@placard/calendar'
import type { Claims, WinnerSource } from '../links/claims.ts'
import type { Label } from './labels.ts'

/** Impressions, views and clicks: what is delivered, and may be billed. */
export type DeliveryKind = 'impression' | 'view' | 'click'
export const DELIVERY_KINDS = [
  'impression',
  'view',
  'click',
] as const satisfies readonly DeliveryKind[]

/** `progress`: how far a film came, an error of its player, or an event of the caller's own. Never billed. */
export type EventKind = DeliveryKind | 'progress'

/**
 * `late`: the event happened more than 5 minutes ago. `ahead`: its time is in the future, so it
 * counts as now.
 */
export type EventClock = 'on-time' | 'late' | 'ahead'

/** One event. Plain values only, so that it can be spooled and staged as JSON. */
export interface TrackedEvent {
  readonly kind: EventKind
  /** Which progress it is: `start`, `error-303`, `custom-7`. */
  readonly name?: string | undefined
  /** Equal for every repeat, so that an event counts once. */
  readonly eventId: string
  /** Replaces the event id as the key of an event without a tracking link. */
  readonly seenKey?: string | undefined
  readonly decisionId?: string | undefined
  readonly decisionDay: number
  readonly budgetDay: number
  readonly position: number
  readonly source: WinnerSource
  readonly winnerKey: number
  readonly bannerKey?: number | undefined
  readonly campaignKey?: number | undefined
  readonly advertiserKey?: number | undefined
  readonly placementKey?: number | undefined
  readonly siteKey?: number | undefined
  readonly userKey?: string | undefined
  readonly sessionId?: string | undefined
  readonly deviceType?: string | undefined
  readonly countryCode?: string | undefined
  readonly pageUrl?: string | undefined
  /** The page of the decision, from the link. */
  readonly pageKey?: string | undefined
  /** The referrer; for a click, the landing page. */
  readonly otherUrl?: string | undefined
  readonly occurredAtMs: number
  readonly receivedAtMs: number
  readonly clock: EventClock
  readonly label: Label
  readonly pricing: 'cpm' | 'cpc'
  readonly chargeMicros: number
  readonly reservationId?: string | undefined
  readonly holdId?: string | undefined
  /**
   * The event has no tracking link, and no key of the publisher vouches for it: counted, never
   * billed.
   */
  readonly isUnvouched?: boolean | undefined
}

export const utcDayOf = (ms: number): number => Math.floor(ms / DAY_MS)
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const UUID_TIME_CHARACTERS = 13

/**
 * The decision's UUIDv7 timestamp plus a hash of decision, kind and position. The timestamp comes
 * first so that new ids are neighbours in the index.
 */
export function eventIdOf(decisionId: string, kind: string, position: number): string {
  return timedHash(decisionId.slice(0, UUID_TIME_CHARACTERS), `${decisionId} ${kind} ${position}`)
}

/** An id of the same form for an event without a decision. */
export function unlinkedEventId(atMs: number, what: string): string {
  const time = atMs.toString(16).padStart(12, '0')
  return timedHash(`${time.slice(0, 8)}-${time.slice(8)}`, what)
}

/** UUID version 8, which leaves its content to the application. */
function timedHash(time: string, what: string): string {
  const digest = hash('sha256', what, 'hex')
  return `${time}-8${digest.slice(0, 3)}-b${digest.slice(3, 6)}-${digest.slice(6, 18)}`
}

/** A key for `seen_events`. */
export function seenKeyOf(what: string): string {
  const digest = hash('sha256', what, 'hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(12, 15)}-b${digest.slice(15, 18)}-${digest.slice(18, 30)}`
}

const ON_TIME_MS = 5 * 60_000
const LATE_MS_MAX = DAY_MS

export type TimeVerdict =
  | { readonly verdict: 'taken'; readonly occurredAtMs: number; readonly clock: EventClock }
  | { readonly verdict: 'too-old' }

/** Checks the time that the event claims for itself. */
export function judgeTime(claimedMs: number | undefined, nowMs: number): TimeVerdict {
  if (claimedMs === undefined) return { verdict: 'taken', occurredAtMs: nowMs, clock: 'on-time' }
  if (claimedMs > nowMs) return { verdict: 'taken', occurredAtMs: nowMs, clock: 'ahead' }
  if (nowMs - claimedMs > LATE_MS_MAX) return { verdict: 'too-old' }
  const clock = nowMs - claimedMs > ON_TIME_MS ? 'late' : 'on-time'
  return { verdict: 'taken', occurredAtMs: claimedMs, clock }
}

/** What the request says, in addition to the link's claims. */
export interface Circumstances extends Pick<
  TrackedEvent,
  | 'sessionId'
  | 'deviceType'
  | 'countryCode'
  | 'pageUrl'
  | 'otherUrl'
  | 'occurredAtMs'
  | 'receivedAtMs'
  | 'clock'
  | 'label'
  | 'name'
> {}

export function eventFrom(
  claims: Claims,
  kind: EventKind,
  circumstances: Circumstances,
): TrackedEvent {
  const { winner } = claims
  return {
    kind,
    eventId: eventIdOf(claims.decisionId, markOf(kind, circumstances.name), claims.position),
    decisionId: claims.decisionId,
    decisionDay: claims.utcDay,
    budgetDay: claims.budgetDay,
    position: claims.position,
    source: winner.source,
    winnerKey: winner.key,
    bannerKey: winner.bannerKey,
    campaignKey: winner.campaignKey,
    advertiserKey: winner.advertiserKey,
    placementKey: claims.placementKey,
    siteKey: claims.siteKey,
    pageKey: claims.pageKey,
    userKey: claims.userKey,
    pricing: claims.pricing,
    chargeMicros: claims.chargeMicros,
    reservationId: claims.reservationId,
    holdId: claims.holdId,
    ...circumstances,
  }
}

/** What sets an event apart from the others of its showing. */
export const markOf = (kind: EventKind, name: string | undefined): string =>
  kind === 'progress' ? `${kind} ${name}` : kind

export type Billable = TrackedEvent & {
  readonly campaignKey: number
  readonly advertiserKey: number
}

/**
 * CPM campaigns pay for impressions, CPC campaigns for clicks: valid, with a link or vouched for.
 */
export function isBillable(event: TrackedEvent): event is Billable {
  if (event.label !== 'valid' || event.chargeMicros === 0) return false
  if (event.isUnvouched) return false
  if (event.campaignKey === undefined || event.advertiserKey === undefined) return false
  return event.kind === (event.pricing === 'cpm' ? 'impression' : 'click')
}
