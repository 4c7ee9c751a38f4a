import type { Context, EmptyReason, ScoredBid, Winner } from '@placard/decision-engine'
import type { DecisionRecord } from './recorder.ts'

/** One row of `auctions`, as the insert reads it: short names, because every decision carries them. */
export interface AuctionRow {
  readonly id: string
  readonly at: string
  readonly kind: DecisionRecord['kind']
  readonly type: string
  readonly placement?: number | undefined
  readonly site?: number | undefined
  readonly user?: string | undefined
  readonly currency?: string | undefined
  readonly context: Context
  readonly bids: readonly PackedBid[]
  readonly bidCount: number
  readonly winners: readonly PackedWinner[]
  readonly ad?: number | undefined
  readonly campaign?: number | undefined
  readonly price?: number | undefined
  readonly ecpm?: number | undefined
  readonly floor: number
  readonly empty?: EmptyReason | undefined
  readonly seed: string
  readonly version: number
  readonly duration: number
}

/** Lists instead of names: half of the bytes, and the bytes are what writing costs. */
type PackedBid = readonly [adKey: number, campaignKey: number, score: number]
type PackedWinner = readonly (string | number | null)[]

const WINNER_FIELDS = [
  'source',
  'key',
  'bannerKey',
  'campaignKey',
  'advertiserKey',
  'pricing',
  'effectiveBidMicros',
  'chargeMicros',
  'costMicros',
  'score',
  'secondScore',
  'finalPriceMicros',
  'ctr',
  'quality',
] as const satisfies readonly (keyof Winner)[]

const PLACEMENT_TYPE_LENGTH_MAX = 50

/** The record as JSON that PostgreSQL takes. Made when the record comes: the decision can be forgotten. */
export function packRecord(record: DecisionRecord): string {
  const { decision } = record
  const priced = decision.winners.find(({ source }) => source === 'auction')
  const row: AuctionRow = {
    id: record.decisionId,
    at: record.decidedAt.toISOString(),
    kind: record.kind,
    type: record.placementType.slice(0, PLACEMENT_TYPE_LENGTH_MAX),
    placement: record.placementKey,
    site: record.siteKey,
    user: record.userKey,
    currency: record.currency,
    context: record.context,
    bids: decision.topBids.map(({ adKey, campaignKey, score }) => [
      adKey,
      campaignKey,
      thousandths(score),
    ]),
    bidCount: decision.bidCount,
    winners: decision.winners.map(packWinner),
    ad: priced?.key,
    campaign: (priced ?? decision.winners[0])?.campaignKey,
    price: priced?.finalPriceMicros,
    ecpm: priced === undefined ? undefined : Math.round(priced.score),
    floor: decision.floorMicros,
    empty: decision.emptyReason,
    seed: record.seed,
    version: decision.indexVersion,
    duration: Math.min(Math.round(record.durationMicros), DURATION_MICROS_MAX),
  }
  return withoutUnstorable(JSON.stringify(row))
}

const DURATION_MICROS_MAX = 2_147_483_647

const packWinner = (winner: Winner): PackedWinner =>
  WINNER_FIELDS.map((field) => winner[field] ?? null)

/** A score is a fraction of a micro's worth of digits that nobody reads. */
const thousandths = (score: number) => Math.round(score * 1_000) / 1_000

/**
 * PostgreSQL keeps neither the character zero nor half of a surrogate pair. They come from no honest
 * reader, and must not stop the honest ones in the same batch.
 */
function withoutUnstorable(json: string): string {
  if (!json.includes('\\u')) return json
  return json.replaceAll(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, (found) =>
    found === '\\\\' ? found : '\ufffd',
  )
}

export const unpackBids = (packed: readonly PackedBid[]): ScoredBid[] =>
  packed.map(([adKey, campaignKey, score]) => ({ adKey, campaignKey, score }))

export const unpackWinners = (packed: readonly PackedWinner[]): Winner[] =>
  packed.map(
    (values) =>
      Object.fromEntries(
        WINNER_FIELDS.map((field, at) => [field, values[at] ?? undefined]),
      ) as unknown as Winner,
  )
