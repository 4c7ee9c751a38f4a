import type { ScoredBid, Winner } from '@placard/decision-engine'
import { NO_CURRENCY } from '@placard/money'
import { timeTextOf } from '../../platform/clock.ts'
import { COPY_NULL, copyField } from '../../platform/database/copy.ts'
import type { DecisionRecord } from './recorder.ts'

/** Lists instead of names: half of the bytes, and the bytes are what writing costs. */
export type PackedBid = readonly [adKey: number, campaignKey: number, score: number, ctr?: number]
export type PackedWinner = readonly (string | number | null)[]

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
  'propensity',
] as const satisfies readonly (keyof Winner)[]

const PLACEMENT_TYPE_LENGTH_MAX = 50

/** A record as it waits to be written: its line, and what the sums need of it. */
export interface PackedRecord {
  /** The fields of `AUCTION_COLUMNS`. */
  readonly line: string
  readonly atMs: number
  readonly placementType: string
  readonly currency: string
  readonly isWon: boolean
  readonly bidCount: number
  /** Undefined unless a bid has won. */
  readonly ecpmMicros: number | undefined
}

/** In the order in which a line has them. */
export const AUCTION_COLUMNS = [
  'batch_id',
  'id',
  'decided_on',
  'auction_time',
  'kind',
  'placement_type',
  'placement_id',
  'site_id',
  'user_key',
  'currency',
  'context',
  'bids',
  'bid_count',
  'winners',
  'winning_ad_id',
  'winning_campaign_id',
  'final_price_micros',
  'winning_ecpm_micros',
  'floor_micros',
  'empty_reason',
  'seed',
  'index_version',
  'duration_micros',
] as const

/** A line begins with room for the number of its batch, which is known when it is written. */
export const BATCH_ROOM = '0'.repeat(19)

/**
 * Made when the record comes: the decision can be forgotten. Put together by hand, because every
 * decision pays for it; only what others may have written is looked at for characters to escape.
 */
export function packRecord(record: DecisionRecord): PackedRecord {
  const { decisionId, decidedAt, decision, currency = NO_CURRENCY } = record
  const { winners } = decision
  const priced = winners.find(isAuctioned)
  const time = timeTextOf(decidedAt)
  const day = time.slice(0, DAY_LENGTH)
  const placementType = record.placementType.slice(0, PLACEMENT_TYPE_LENGTH_MAX)
  const ecpmMicros = priced && Math.round(priced.score)
  const line =
    `${BATCH_ROOM}\t${decisionId}\t${day}\t${time}\t${record.kind}\t${textField(placementType)}` +
    `\t${record.placementKey ?? COPY_NULL}\t${record.siteKey ?? COPY_NULL}` +
    `\t${record.userKey === undefined ? COPY_NULL : textField(record.userKey)}\t${currency}` +
    `\t${copyField(withoutUnstorable(JSON.stringify(record.context)))}` +
    `\t${bidsText(decision.topBids)}\t${decision.bidCount}\t[${winners.map(winnerText).join()}]` +
    `\t${priced?.key ?? COPY_NULL}\t${(priced ?? winners[0])?.campaignKey ?? COPY_NULL}` +
    `\t${priced?.finalPriceMicros ?? COPY_NULL}\t${ecpmMicros ?? COPY_NULL}` +
    `\t${decision.floorMicros}\t${decision.emptyReason ?? COPY_NULL}\t${record.seed}` +
    `\t${decision.indexVersion}` +
    `\t${Math.min(Math.round(record.durationMicros), DURATION_MICROS_MAX)}\n`
  return {
    line,
    atMs: decidedAt.getTime(),
    placementType,
    currency,
    isWon: winners.length > 0,
    bidCount: decision.bidCount,
    ecpmMicros,
  }
}

/** What the sums need of a line that was packed before. */
export function readPacked(line: string): PackedRecord {
  const fields = line.slice(0, -1).split('\t')
  const field = (column: (typeof AUCTION_COLUMNS)[number]) =>
    fields[AUCTION_COLUMNS.indexOf(column)]!
  const ecpm = field('winning_ecpm_micros')
  return {
    line,
    atMs: Date.parse(field('auction_time')),
    placementType: field('placement_type'),
    currency: field('currency'),
    isWon: field('winners') !== '[]',
    bidCount: Number(field('bid_count')),
    ecpmMicros: ecpm === COPY_NULL ? undefined : Number(ecpm),
  }
}

const DAY_LENGTH = 10
const isAuctioned = ({ source }: Winner) => source === 'auction'
const textField = (text: string) =>
  copyField(text.isWellFormed() && !text.includes('\0') ? text : storable(text))
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

function bidsText(bids: readonly ScoredBid[]): string {
  let list = ''
  for (const { adKey, campaignKey, score, ctr } of bids) {
    list += `${list === '' ? '' : ','}[${adKey},${campaignKey},${decimalText(score, 1e3)},${decimalText(ctr, 1e6)}]`
  }
  return `[${list}]`
}

/** In the order of `WINNER_FIELDS`. */
const winnerText = (winner: Winner): string =>
  `["${winner.source}",${winner.key},${winner.bannerKey},${winner.campaignKey ?? null},` +
  `${winner.advertiserKey ?? null},${winner.pricing === undefined ? null : `"${winner.pricing}"`},` +
  `${winner.effectiveBidMicros},${winner.chargeMicros},${winner.costMicros},` +
  `${decimalText(winner.score, 1e6)},` +
  `${winner.secondScore === undefined ? null : decimalText(winner.secondScore, 1e6)},` +
  `${winner.finalPriceMicros},${decimalText(winner.ctr, 1e9)},${decimalText(winner.quality, 1e6)}` +
  `${winner.propensity === undefined ? '' : `,${winner.propensity}`}]`

const DURATION_MICROS_MAX = 2_147_483_647

/**
 * A number with the places after its point that anybody reads, put together from two whole ones: the
 * shortest text of a broken number is dear to find, and a record has a dozen of them.
 */
export function decimalText(value: number, unitsInOne: number): string {
  const units = Math.round(value * unitsInOne)
  if (!(units >= 0 && units <= Number.MAX_SAFE_INTEGER)) return String(value)
  const whole = Math.floor(units / unitsInOne)
  const rest = units - whole * unitsInOne
  return rest === 0 ? `${whole}` : `${whole}.${String(unitsInOne + rest).slice(1)}`
}

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
