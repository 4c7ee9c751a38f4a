import { micros, toDecimal } from '@placard/money'
import { v5 } from 'uuid'
import type { OutboxEvent } from '../../../platform/outbox/event.ts'
import type { EventType } from './event-types.ts'

/**
 * Rows of the event tables as published events. The subject is the campaign, within which order is
 * kept.
 */

/** Ids derived from other ids, so that publishing again gives the same ids. */
const NAMESPACE = '5b1f0a56-3c0e-5d0b-9a65-6f1d0f8f8a11'
const idFrom = (what: string) => v5(what, NAMESPACE)

export interface TrackedRow {
  readonly kind: 'impression' | 'click'
  readonly batch_id: string
  readonly event_id: string
  readonly decision_id: string | null
  readonly ad: string | null
  readonly banner: string | null
  readonly campaign: string | null
  readonly advertiser: string | null
  readonly placement: string | null
  readonly user_key: string | null
  readonly device_type: string | null
  readonly country_code: string | null
  readonly label: string
  readonly billing: string
  readonly pricing: string
  readonly charge_micros: string
  readonly occurred_at: string
}

const TRACKED_TYPES: Record<TrackedRow['kind'], EventType> = {
  impression: 'ads.impression.tracked.v1',
  click: 'ads.click.tracked.v1',
}

export function trackedEvent(row: TrackedRow): OutboxEvent {
  const time = new Date(row.occurred_at)
  return {
    id: row.event_id,
    type: TRACKED_TYPES[row.kind],
    subject: row.campaign ?? row.banner ?? row.event_id,
    time,
    data: {
      adId: row.ad,
      userId: row.user_key,
      timestamp: time.toISOString(),
      auctionId: row.decision_id,
      bannerId: row.banner,
      campaignId: row.campaign,
      advertiserId: row.advertiser,
      placementId: row.placement,
      device: row.device_type,
      country: row.country_code,
      label: row.label,
      billing: row.billing,
      pricing: row.pricing,
      chargeMicros: row.charge_micros,
    },
  }
}

export interface ServedRow {
  readonly batch_id: string
  readonly id: string
  readonly place: string
  readonly source: string
  readonly ad: string | null
  readonly banner: string | null
  readonly campaign: string | null
  readonly user_key: string | null
  readonly placement: string | null
  readonly placement_type: string
  readonly currency: string
  readonly final_price_micros: string | null
  readonly winning_ecpm_micros: string | null
  readonly auction_time: string
}

export function servedEvent(row: ServedRow): OutboxEvent {
  const time = new Date(row.auction_time)
  const isFirst = row.place === '1'
  return {
    id: isFirst ? row.id : idFrom(`${row.id} ${row.place}`),
    type: 'ad.served.v1' satisfies EventType,
    subject: row.campaign ?? row.banner ?? row.id,
    time,
    data: {
      auctionId: row.id,
      adId: row.ad,
      campaignId: row.campaign,
      bannerId: row.banner,
      userId: row.user_key,
      placementType: row.placement_type,
      placementId: row.placement,
      currency: row.currency,
      finalPrice: decimalOf(row.final_price_micros),
      finalPriceMicros: row.final_price_micros,
      winningEcpm: decimalOf(row.winning_ecpm_micros),
      winningEcpmMicros: row.winning_ecpm_micros,
      source: row.source,
      servedAt: time.toISOString(),
    },
  }
}

export interface ConversionRow {
  readonly event_id: string
  readonly kind: string
  readonly way: string
  readonly advertiser: string | null
  readonly order_id: string | null
  readonly value_micros: string | null
  readonly currency: string | null
  readonly user_key: string | null
  readonly label: string
  readonly model: string
  readonly occurred_at: string
  readonly credits: readonly {
    readonly campaignId: string | null
    readonly adId: string | null
    readonly bannerId: string | null
    readonly touch: string
    readonly share: number
  }[]
}

const SHARES = 10_000

export function conversionEvent(row: ConversionRow): OutboxEvent {
  const time = new Date(row.occurred_at)
  return {
    id: row.event_id,
    type: 'ads.conversion.tracked.v1' satisfies EventType,
    subject: row.credits[0]?.campaignId ?? row.advertiser ?? row.event_id,
    time,
    data: {
      conversionId: row.event_id,
      kind: row.kind,
      way: row.way,
      advertiserId: row.advertiser,
      orderId: row.order_id,
      value: decimalOf(row.value_micros),
      valueMicros: row.value_micros,
      currency: row.currency,
      userId: row.user_key,
      label: row.label,
      model: row.model,
      credits: row.credits.map(({ share, ...credit }) => ({ ...credit, share: share / SHARES })),
      timestamp: time.toISOString(),
    },
  }
}

export interface SpendRow {
  readonly batch_id: string
  readonly day: string
  readonly day_start: string
  readonly campaign: string
  readonly advertiser: string
  readonly currency: string
  readonly time_zone: string
  readonly limit_micros: string | null
  readonly spent_micros: string
  readonly settled_at: string
}

export function spendEvent(row: SpendRow): OutboxEvent {
  const time = new Date(row.settled_at)
  return {
    id: idFrom(`spend ${row.batch_id} ${row.campaign} ${row.day}`),
    type: 'spend.updated.v1' satisfies EventType,
    subject: row.campaign,
    time,
    data: {
      campaignId: row.campaign,
      advertiserId: row.advertiser,
      currency: row.currency,
      dailyBudgetMicros: row.limit_micros,
      todaySpendMicros: row.spent_micros,
      budgetDay: row.day,
      dayStart: new Date(row.day_start).toISOString(),
      ts: time.toISOString(),
      tz: row.time_zone,
    },
  }
}

/** Fields of seed 0 stay decimals. The micros beside them are exact. */
const decimalOf = (text: string | null) =>
  text === null ? null : Number(toDecimal(micros(BigInt(text))))
