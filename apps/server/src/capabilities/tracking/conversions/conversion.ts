import type { Credit, Touch } from './attribution.ts'
import type { EventClock } from '../intake/event.ts'
import type { Label } from '../intake/labels.ts'

export type ConversionKind = 'content_view' | 'add_to_cart' | 'checkout' | 'purchase'
export type ConversionWay = 'pixel' | 'token' | 'server'

/** A purchase or another goal on the advertiser's pages. */
export interface Conversion {
  readonly eventId: string
  /** The key of a conversion without a tracking link, the same on any day. */
  readonly seenKey?: string | undefined
  readonly kind: ConversionKind
  readonly way: ConversionWay
  readonly decisionDay: number
  readonly decisionId: string | undefined
  readonly advertiserKey: number
  readonly userKey: string | undefined
  readonly orderId: string | undefined
  readonly valueMicros: bigint | undefined
  readonly currency: string | undefined
  readonly occurredAtMs: number
  readonly receivedAtMs: number
  readonly clock: EventClock
  readonly label: Label
  /** The click it came through. Undefined if a server reports the conversion. */
  readonly click?: Click | undefined
}

export interface Click {
  readonly decisionDay: number
  readonly eventId: string
}

/** An earlier click or impression of the same advertiser. */
export interface StoredTouch extends Touch {
  readonly decisionDay: number
  readonly adKey: number | undefined
  readonly assignmentKey: number | undefined
  readonly bannerKey: number | undefined
  readonly campaignKey: number | undefined
  readonly placementKey: number | undefined
}

export type StoredCredit = Credit<StoredTouch>
