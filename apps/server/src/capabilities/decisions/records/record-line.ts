import type { ScoredBid, Winner } from '@placard/decision-engine'
import { NO_CURRENCY } from '@placard/money'
import { timeTextOf } from '../../../platform/clock.ts'
import { COPY_NULL } from '../../../platform/database/copy.ts'
import type { CopyLines } from '../../../platform/database/copy-lines.ts'
import type { DecisionRecord } from './recorder.ts'
import type { Summed } from './statistics.ts'

/** Arrays instead of objects: half the bytes, and bytes are the cost of writing. */
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
  'conversionRate',
] as const satisfies readonly (keyof Winner)[]

const PLACEMENT_TYPE_LENGTH_MAX = 50

/** In the order of a line's fields. */
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
  'session_key',
  'address_key',
  'asked',
] as const

/**
 * Room at the start of a line for the batch number, which is known only when the batch is written.
 */
export const BATCH_ROOM = '0'.repeat(19)

/**
 * Writes a record's line as soon as it arrives, so that the decision can be freed. Hand-written,
 * because every decision pays for it.
 */
export function writeRecord(lines: CopyLines, record: DecisionRecord): void {
  const { decision } = record
  const { winners } = decision
  const priced = pricedOf(record)
  const time = timeTextOf(record.decidedAt)
  lines.plain(BATCH_ROOM)
  plainField(lines, record.decisionId)
  plainField(lines, time.slice(0, DAY_LENGTH))
  plainField(lines, time)
  plainField(lines, record.kind)
  textField(lines, placementTypeOf(record))
  numberField(lines, record.placementKey)
  numberField(lines, record.siteKey)
  if (record.userKey === undefined) plainField(lines, COPY_NULL)
  else textField(lines, record.userKey)
  plainField(lines, currencyOf(record))
  lines.byte(TAB)
  lines.text(withoutUnstorable(JSON.stringify(record.context)))
  lines.byte(TAB)
  writeBids(lines, decision.topBids)
  numberField(lines, decision.bidCount)
  lines.byte(TAB)
  writeWinners(lines, winners)
  numberField(lines, priced?.key)
  numberField(lines, (priced ?? winners[0])?.campaignKey)
  numberField(lines, priced?.finalPriceMicros)
  numberField(lines, ecpmOf(priced))
  numberField(lines, decision.floorMicros)
  plainField(lines, decision.emptyReason ?? COPY_NULL)
  numberField(lines, record.seed)
  numberField(lines, decision.indexVersion)
  numberField(lines, Math.min(Math.round(record.durationMicros), DURATION_MICROS_MAX))
  plainField(lines, record.sessionKey ?? COPY_NULL)
  plainField(lines, record.addressKey ?? COPY_NULL)
  if (record.asked === undefined) plainField(lines, COPY_NULL)
  else textField(lines, withoutUnstorable(JSON.stringify(record.asked)))
  lines.byte(LINE_FEED)
}

/** The fields of a record that the sums need. */
export function summedOf(record: DecisionRecord): Summed {
  const { decidedAt, decision } = record
  return {
    atMs: decidedAt.getTime(),
    placementType: placementTypeOf(record),
    currency: currencyOf(record),
    isWon: decision.winners.length > 0,
    bidCount: decision.bidCount,
    ecpmMicros: ecpmOf(pricedOf(record)),
  }
}

/** The same from a line written before. */
export function readSummed(line: string): Summed {
  const fields = line.slice(0, -1).split('\t')
  const field = (column: (typeof AUCTION_COLUMNS)[number]) =>
    fields[AUCTION_COLUMNS.indexOf(column)]!
  const ecpm = field('winning_ecpm_micros')
  return {
    atMs: Date.parse(field('auction_time')),
    placementType: field('placement_type'),
    currency: field('currency'),
    isWon: field('winners') !== '[]',
    bidCount: Number(field('bid_count')),
    ecpmMicros: ecpm === COPY_NULL ? undefined : Number(ecpm),
  }
}

const DAY_LENGTH = 10
const DURATION_MICROS_MAX = 2_147_483_647
const TAB = 9
const LINE_FEED = 10
const QUOTE = 34
const COMMA = 44
const OPEN = 91
const CLOSE = 93

const pricedOf = ({ decision }: DecisionRecord) => decision.winners.find(isAuctioned)
const isAuctioned = ({ source }: Winner) => source === 'auction'
const ecpmOf = (priced: Winner | undefined) => priced && Math.round(priced.score)
const currencyOf = ({ currency = NO_CURRENCY }: DecisionRecord) => currency
const placementTypeOf = ({ placementType }: DecisionRecord) =>
  placementType.slice(0, PLACEMENT_TYPE_LENGTH_MAX)

function plainField(lines: CopyLines, text: string): void {
  lines.byte(TAB)
  lines.plain(text)
}

function textField(lines: CopyLines, text: string): void {
  lines.byte(TAB)
  lines.text(text.isWellFormed() && !text.includes('\0') ? text : storable(text))
}

const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

function numberField(lines: CopyLines, value: number | undefined): void {
  lines.byte(TAB)
  if (value === undefined) lines.plain(COPY_NULL)
  else lines.number(value)
}

/** Each as a `PackedBid`. */
function writeBids(lines: CopyLines, bids: readonly ScoredBid[]): void {
  lines.byte(OPEN)
  for (let at = 0; at < bids.length; at++) {
    const { adKey, campaignKey, score, ctr } = bids[at]!
    if (at > 0) lines.byte(COMMA)
    lines.byte(OPEN)
    lines.number(adKey)
    nextNumber(lines, campaignKey)
    nextDecimal(lines, score, 3)
    nextDecimal(lines, ctr, 6)
    lines.byte(CLOSE)
  }
  lines.byte(CLOSE)
}

/** Each in the order of `WINNER_FIELDS`. */
function writeWinners(lines: CopyLines, winners: readonly Winner[]): void {
  lines.byte(OPEN)
  for (let at = 0; at < winners.length; at++) {
    const winner = winners[at]!
    if (at > 0) lines.byte(COMMA)
    lines.byte(OPEN)
    writeWord(lines, winner.source)
    nextNumber(lines, winner.key)
    nextNumber(lines, winner.bannerKey)
    nextNumber(lines, winner.campaignKey)
    nextNumber(lines, winner.advertiserKey)
    lines.byte(COMMA)
    writeWord(lines, winner.pricing)
    nextNumber(lines, winner.effectiveBidMicros)
    nextNumber(lines, winner.chargeMicros)
    nextNumber(lines, winner.costMicros)
    nextDecimal(lines, winner.score, 6)
    nextDecimal(lines, winner.secondScore, 6)
    nextNumber(lines, winner.finalPriceMicros)
    nextDecimal(lines, winner.ctr, 9)
    nextDecimal(lines, winner.quality, 6)
    if (winner.propensity !== undefined) lines.plain(`,${winner.propensity}`)
    if (winner.conversionRate !== undefined) writeConversionRate(lines, winner)
    lines.byte(CLOSE)
  }
  lines.byte(CLOSE)
}

/** The last field: its place is after the propensity, which is seldom there. */
function writeConversionRate(lines: CopyLines, winner: Winner): void {
  if (winner.propensity === undefined) lines.plain(',null')
  nextDecimal(lines, winner.conversionRate, 9)
}

/** One of our own words, or nothing. */
function writeWord(lines: CopyLines, word: string | undefined): void {
  if (word === undefined) return lines.plain('null')
  lines.byte(QUOTE)
  lines.plain(word)
  lines.byte(QUOTE)
}

function nextNumber(lines: CopyLines, value: number | undefined): void {
  lines.byte(COMMA)
  if (value === undefined) lines.plain('null')
  else lines.number(value)
}

function nextDecimal(lines: CopyLines, value: number | undefined, places: number): void {
  lines.byte(COMMA)
  if (value === undefined) lines.plain('null')
  else lines.decimal(value, places)
}

/**
 * PostgreSQL stores neither NUL nor half a surrogate pair. No honest reader sends them, and they
 * must not stop honest records of the same batch.
 */
function withoutUnstorable(json: string): string {
  if (!json.includes('\\u')) return json
  return json.replaceAll(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, (found) =>
    found === '\\\\' ? found : '\ufffd',
  )
}

export const unpackBids = (packed: readonly PackedBid[]): ScoredBid[] =>
  packed.map(([adKey, campaignKey, score, ctr = 0]) => ({ adKey, campaignKey, score, ctr }))

/** A recorded winner: without its banner's format and its caps at the time. */
export type RecordedWinner = Omit<Winner, 'format' | 'isCapped'>

export const unpackWinners = (packed: readonly PackedWinner[]): RecordedWinner[] =>
  packed.map(
    (values) =>
      Object.fromEntries(
        WINNER_FIELDS.map((field, at) => [field, values[at] ?? undefined]),
      ) as unknown as RecordedWinner,
  )
