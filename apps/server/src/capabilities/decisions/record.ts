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
/** Records of before have no click rate. */
type PackedBid = readonly [adKey: number, campaignKey: number, score: number, ctr?: number]
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

/**
 * The record as JSON that PostgreSQL takes, an `AuctionRow`. Made when the record comes: the decision
 * can be forgotten. Put together by hand, because every decision pays for it; only what others may
 * have written is quoted by the library.
 */
export function packRecord(record: DecisionRecord): string {
  const { decision, userKey, currency } = record
  const { winners } = decision
  const priced = winners.find(isAuctioned)
  const type = record.placementType.slice(0, PLACEMENT_TYPE_LENGTH_MAX)
  return (
    `{"id":"${record.decisionId}","at":"${record.decidedAt.toISOString()}","kind":"${record.kind}"` +
    `,"type":${quoted(type)},"context":${withoutUnstorable(JSON.stringify(record.context))}` +
    `,"bids":${bidsText(decision.topBids)},"bidCount":${decision.bidCount}` +
    `,"winners":[${winners.map(winnerText).join()}]` +
    `,"floor":${decision.floorMicros},"seed":"${record.seed}","version":${decision.indexVersion}` +
    `,"duration":${Math.min(Math.round(record.durationMicros), DURATION_MICROS_MAX)}` +
    number('placement', record.placementKey) +
    number('site', record.siteKey) +
    number('campaign', (priced ?? winners[0])?.campaignKey) +
    text('user', userKey) +
    text('currency', currency) +
    text('empty', decision.emptyReason) +
    (priced === undefined
      ? '}'
      : `,"ad":${priced.key},"price":${priced.finalPriceMicros},"ecpm":${Math.round(priced.score)}}`)
  )
}

const isAuctioned = ({ source }: Winner) => source === 'auction'
const quoted = (value: string) => withoutUnstorable(JSON.stringify(value))
const number = (name: string, value: number | undefined) =>
  value === undefined ? '' : `,"${name}":${value}`
const text = (name: string, value: string | undefined) =>
  value === undefined ? '' : `,"${name}":${quoted(value)}`

function bidsText(bids: readonly ScoredBid[]): string {
  let list = ''
  for (const { adKey, campaignKey, score, ctr } of bids) {
    list += `${list === '' ? '' : ','}[${adKey},${campaignKey},${thousandths(score)},${millionths(ctr)}]`
  }
  return `[${list}]`
}

/** In the order of `WINNER_FIELDS`. */
const winnerText = (winner: Winner): string =>
  `["${winner.source}",${winner.key},${winner.bannerKey},${winner.campaignKey ?? null},` +
  `${winner.advertiserKey ?? null},${winner.pricing === undefined ? null : `"${winner.pricing}"`},` +
  `${winner.effectiveBidMicros},${winner.chargeMicros},${winner.costMicros},${winner.score},` +
  `${winner.secondScore ?? null},${winner.finalPriceMicros},${winner.ctr},${winner.quality}]`

const DURATION_MICROS_MAX = 2_147_483_647

/** A score is a fraction of a micro's worth of digits that nobody reads. */
const thousandths = (score: number) => Math.round(score * 1_000) / 1_000
const millionths = (rate: number) => Math.round(rate * 1_000_000) / 1_000_000

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
  packed.map(([adKey, campaignKey, score, ctr = 0]) => ({ adKey, campaignKey, score, ctr }))

export const unpackWinners = (packed: readonly PackedWinner[]): Winner[] =>
  packed.map(
    (values) =>
      Object.fromEntries(
        WINNER_FIELDS.map((field, at) => [field, values[at] ?? undefined]),
      ) as unknown as Winner,
  )
