import type { Credit, Touch } from './attribution.ts'
import type { EventClock } from '../intake/event.ts'
import type { Label } from '../intake/quality.ts'

export type ConversionKind = 'content_view' | 'add_to_cart' | 'checkout' | 'purchase'
export type ConversionWay = 'pixel' | 'token' | 'server'

/** Something a reader did on the advertiser's pages. */
export interface Conversion {
  readonly eventId: string
  /** Without a link the day is no part of what makes it a repeat. */
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
}

/** A click or an impression of the same advertiser that the reader had before. */
export interface StoredTouch extends Touch {
  readonly decisionDay: number
  readonly adKey: number | undefined
  readonly assignmentKey: number | undefined
  readonly bannerKey: number | undefined
  readonly campaignKey: number | undefined
  readonly placementKey: number | undefined
}

export type StoredCredit = Credit<StoredTouch>
