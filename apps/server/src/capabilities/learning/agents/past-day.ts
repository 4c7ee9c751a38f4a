import type { Scene } from '../models/ad-rates.ts'
import { type Auctions, NEVER_WON, type PastDay, WINDOWS_PER_DAY } from '@placard/learning'

/** An auction that the campaign could have met, from its record. */
export interface SeenAuction {
  readonly atMs: number
  /** [ad, campaign, score, click rate], best first. Older records have no rate. */
  readonly bids: readonly (readonly [number, number, number, number?])[]
  /** As a CPM. */
  readonly floorMicros: number
  /** Where it was held, if rates are to be predicted. */
  readonly scene?: Scene | undefined
  /** Predicted for the campaign in this auction, of campaigns with a target. */
  readonly clickRate?: number | undefined
  readonly conversionRate?: number | undefined
}

export interface DayOfCampaign {
  readonly campaignKey: number
  readonly pricing: 'cpm' | 'cpc'
  /** Some requests for its placements do not match its targeting. */
  readonly isTargeted: boolean
  readonly startMs: number
}

const WINDOW_MS = 15 * 60_000

export const windowAt = (startMs: number, atMs: number): number =>
  Math.min(WINDOWS_PER_DAY - 1, Math.max(0, Math.floor((atMs - startMs) / WINDOW_MS)))

export const windowStart = (startMs: number, window: number): number => startMs + window * WINDOW_MS

/**
 * Price and value of every auction of a day, for one campaign. Where it bid, the price is the best
 * other score and the value its own click rate (1 per impression for CPM). Where it did not, its
 * bid was too low, its budget held it back, or the request did not match its targeting. Then
 * auctions count in the share that it met of cheap auctions while it was bidding.
 */
export function auctionsOf(
  seen: readonly SeenAuction[],
  { campaignKey, pricing, isTargeted, startMs }: DayOfCampaign,
): Auctions {
  const met = seen
    .map((one) => ({ atMs: one.atMs, clickRate: one.clickRate, ...facts(one, campaignKey) }))
    .toSorted((a, b) => a.atMs - b.atMs)
  const own = met.flatMap(({ mine }) => (mine === undefined ? [] : [mine]))
  const usual = median(own.map(({ score }) => score))
  const isActive = activeAt(met)
  const values = own.map(({ ctr }) => (pricing === 'cpc' ? ctr : 1))
  const cheap = met.filter(({ price }, at) => price < usual && isActive[at])
  const metShare = isTargeted ? shareMet(cheap) : 1

  let owed = 0
  let next = 0
  const rows = met.map(({ atMs, mine, price, clickRate }, at) => {
    const window = windowAt(startMs, atMs)
    if (mine !== undefined) return { window, price, value: pricing === 'cpc' ? mine.ctr : 1 }
    const mayHaveMet = values.length > 0 && (price >= usual || !isActive[at] || !isTargeted)
    if (mayHaveMet) owed += metShare
    if (!mayHaveMet || owed < 1) return { window, price: NEVER_WON, value: 1e-9 }
    owed -= 1
    return { window, price, value: clickRate ?? values[next++ % values.length]! }
  })
  return {
    count: rows.length,
    price: Int32Array.from(rows, ({ price }) => Math.min(NEVER_WON, Math.max(1, Math.ceil(price)))),
    pctr: Float64Array.from(rows, ({ value }) => value),
    click: new Uint8Array(rows.length),
    window: Uint8Array.from(rows, ({ window }) => window),
  }
}

const HOUR_MS = 3_600_000

/**
 * Within an hour a campaign bids from its first bid to its last: pacing releases budget hour by
 * hour.
 */
function activeAt(met: readonly (Met & { readonly atMs: number })[]): readonly boolean[] {
  const spans = new Map<number, { first: number; last: number }>()
  met.forEach(({ atMs, mine }, at) => {
    if (mine === undefined) return
    const hour = Math.floor(atMs / HOUR_MS)
    spans.set(hour, { first: spans.get(hour)?.first ?? at, last: at })
  })
  return met.map(({ atMs }, at) => {
    const span = spans.get(Math.floor(atMs / HOUR_MS))
    return span !== undefined && at >= span.first && at <= span.last
  })
}

const MET_MIN = 20

/** Too few auctions say nothing: then all count. */
const shareMet = (met: readonly Met[]): number =>
  met.length < MET_MIN ? 1 : met.filter(({ mine }) => mine !== undefined).length / met.length

interface Met {
  /** The campaign's best bid, if it took part. */
  readonly mine: { readonly score: number; readonly ctr: number } | undefined
  /** Micros per impression. */
  readonly price: number
}

function facts({ bids, floorMicros }: SeenAuction, campaignKey: number): Met {
  let mine: Met['mine']
  let price = floorMicros / 1_000
  for (const [, campaign, score, ctr] of bids) {
    if (campaign !== campaignKey) price = Math.max(price, score)
    else if (ctr !== undefined && ctr > 0 && mine === undefined) mine = { score, ctr }
  }
  return { mine, price }
}

function median(values: readonly number[]): number {
  if (values.length === 0) return Infinity
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

/** Charges divided by the expected cost of wins, within believable bounds. */
export function deliveredShareOf(chargedMicros: number, expectedMicros: number): number {
  if (expectedMicros <= 0) return 1
  return Math.min(5, Math.max(0.05, chargedMicros / expectedMicros))
}

const ROW_BYTES = 9

export function packAuctions({ count, price, pctr, window }: Auctions): Buffer {
  const bytes = Buffer.alloc(count * ROW_BYTES)
  for (let at = 0; at < count; at++) {
    bytes.writeInt32LE(price[at]!, at * ROW_BYTES)
    bytes.writeFloatLE(pctr[at]!, at * ROW_BYTES + 4)
    bytes.writeUInt8(window[at]!, at * ROW_BYTES + 8)
  }
  return bytes
}

export function unpackAuctions(bytes: Buffer): Auctions {
  const count = Math.floor(bytes.length / ROW_BYTES)
  const auctions = {
    count,
    price: new Int32Array(count),
    pctr: new Float64Array(count),
    click: new Uint8Array(count),
    window: new Uint8Array(count),
  }
  for (let at = 0; at < count; at++) {
    auctions.price[at] = bytes.readInt32LE(at * ROW_BYTES)
    auctions.pctr[at] = bytes.readFloatLE(at * ROW_BYTES + 4)
    auctions.window[at] = bytes.readUInt8(at * ROW_BYTES + 8)
  }
  return auctions
}

export type KeptDay = PastDay & { readonly day: string }

const RATE_BYTES = 4

export function packRates(rates: Float64Array): Buffer {
  const bytes = Buffer.alloc(rates.length * RATE_BYTES)
  rates.forEach((rate, at) => bytes.writeFloatLE(rate, at * RATE_BYTES))
  return bytes
}

export const unpackRates = (bytes: Buffer): Float64Array =>
  Float64Array.from({ length: Math.floor(bytes.length / RATE_BYTES) }, (_, at) =>
    bytes.readFloatLE(at * RATE_BYTES),
  )
