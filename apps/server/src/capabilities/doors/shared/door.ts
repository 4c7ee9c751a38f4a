import type { LeanRequest } from '../../../platform/http/fast-lane/fast-lane.ts'
import {
  type Content,
  type Door,
  type DoorRequest,
  type DoorServed,
  isDryRequest,
  keepServed,
  type LinkShowing,
  linksOf,
  linksUnder,
  type MaybePromise,
  type Publisher,
  type ReaderFields,
  type Served,
  serveDoor,
  type ServingDeps,
  type ShowingLinks,
  speaksFor,
} from '../../decisions/index.ts'
import type { Claims } from '../../tracking/index.ts'
import { addressOf } from './addresses.ts'
import type { DoorMetrics, DoorResult } from './metrics.ts'

/** OpenAPI fields that every route of a door shares. */
export const DOOR_ROUTE = {
  access: 'public',
  crossOrigin: 'with-credentials',
  ignoresUnknownFields: true,
  knowsCallers: true,
  shedsLoad: true,
} as const

export const DOOR_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export type DoorCaller = Pick<
  LeanRequest,
  'method' | 'headers' | 'ip' | 'protocol' | 'host' | 'principal' | 'query'
>

export interface DoorDeps {
  readonly serving: ServingDeps
  readonly metrics: DoorMetrics
}

export interface SealedShowing {
  /** Of the publisher: only its own key may vouch for its readers. */
  readonly accountKey: number
  readonly eventToken: string
}

/** One door, for its routes. */
export interface OpenDoor {
  readonly name: Door
  readonly content: Content
  readonly index: ServingDeps['catalogue']['index']
  readonly holdTimes: DoorRequest['holdTimes']
  /** A closed door answers "no ad" in its own language. */
  isOpen(): boolean
  /** True for HEAD and prefetch: the request must have no effect. */
  isDry(caller: Pick<DoorCaller, 'method' | 'headers'>): boolean
  /** A publisher's key speaks for its own readers: we believe its address, user agent and segments. */
  readerOf(caller: DoorCaller, fields: Omit<ReaderFields, 'isTrusted'>): DoorRequest['reader']
  ask(question: Omit<DoorRequest, 'door' | 'holdTimes'>): MaybePromise<readonly DoorServed[]>
  /** Runs after the answer is sent, so the answer never waits for its record. */
  keep(served: readonly Served[], isDry: boolean): void
  /** Scheme and host under which the client reaches Placard. */
  addressFor(caller: DoorCaller): string
  linksFor(caller: DoorCaller): LinkShowing
  /** What the notices of a caller with a key end with: they count whoever calls them. */
  noticeSealFor(caller: DoorCaller, showing: SealedShowing): string | undefined
  findPublisher(publicId: string): Publisher | undefined
  /** The showing of an event token, as long as its impression counts. */
  showingOf(eventToken: string): Claims | undefined
  /** Its links once more: they count the same events. */
  linksOf(caller: DoorCaller, showing: Claims): ShowingLinks
  count(result: DoorResult): void
  countEmpty(reason: string): void
}

const reservedBy = (served: readonly Served[]): number =>
  served
    .flatMap(({ showings }) => showings)
    .reduce((sum, { reservation }) => sum + (reservation?.costMicros ?? 0), 0)

export interface DoorTerms {
  readonly name: Door
  readonly holdTimes: DoorRequest['holdTimes']
}

export function openDoor({ serving, metrics }: DoorDeps, { name, holdTimes }: DoorTerms): OpenDoor {
  const { catalogue, clock, readers, sealer, switches, publicUrl, publishers } = serving
  return {
    name,
    holdTimes,
    content: catalogue.content,
    index: catalogue.index,
    isOpen: () => switches.isOn('decisions.serving') && switches.isOn(`doors.${name}`),
    isDry: isDryRequest,
    readerOf: (caller, fields) =>
      readers.readerOf(caller, {
        ...fields,
        isTrusted: speaksFor(caller.principal, fields.publisherKey),
      }),
    ask: (question) => serveDoor(serving, { ...question, door: name, holdTimes }),
    keep(served, isDry) {
      keepServed(serving, served, isDry)
      metrics.addReserved(name, reservedBy(served))
    },
    addressFor: (caller) => addressOf(caller, publicUrl),
    linksFor(caller) {
      const { origin, referer } = caller.headers
      const isFromPage = origin !== undefined || referer !== undefined
      return linksUnder(addressOf(caller, publicUrl), sealer, isFromPage)
    },
    noticeSealFor: ({ principal }, { accountKey, eventToken }) =>
      principal !== undefined && speaksFor(principal, accountKey)
        ? `${principal.id}.${sealer.sign(`${principal.id} ${eventToken}`)}`
        : undefined,
    findPublisher: (publicId) => publishers.find(publicId),
    showingOf(eventToken) {
      const nowMs = clock.now().getTime()
      const opened = sealer.open(eventToken, { purpose: 'impression', nowMs })
      return opened.verdict === 'good' ? opened.claims : undefined
    },
    linksOf: (caller, showing) =>
      linksOf({ address: addressOf(caller, publicUrl), sealer }, showing),
    count: (result) => metrics.count(name, result),
    countEmpty: (reason) => metrics.countEmpty(name, reason),
  }
}
