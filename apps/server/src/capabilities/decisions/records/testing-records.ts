import type { Decision, Winner } from '@placard/decision-engine'
import type { Ids } from '../../../platform/ids.ts'
import { PackedBatch } from './packed-batch.ts'
import type { DecisionRecord } from './recorder.ts'

export const aWinner = (winner: Partial<Winner> = {}): Winner => ({
  source: 'auction',
  key: 11,
  bannerKey: 12,
  campaignKey: 13,
  advertiserKey: 14,
  format: 'image',
  isCapped: false,
  pricing: 'cpc',
  effectiveBidMicros: 500_000,
  chargeMicros: 400_000,
  costMicros: 400_000,
  score: 10_000,
  secondScore: 8_000,
  finalPriceMicros: 10_000,
  ctr: 0.02,
  quality: 1,
  ...winner,
})

export const aDecision = (decision: Partial<Decision> = {}): Decision => ({
  winners: [aWinner()],
  placementKey: undefined,
  emptyReason: undefined,
  needsPlaceholder: false,
  bidCount: 2,
  topBids: [
    { adKey: 11, campaignKey: 13, score: 10_000, ctr: 0.02 },
    { adKey: 21, campaignKey: 23, score: 8_000.1234, ctr: 0.012_345_67 },
  ],
  floorMicros: 10_000,
  indexVersion: 7,
  ...decision,
})

export const NO_AD = aDecision({
  winners: [],
  emptyReason: 'no-candidate',
  needsPlaceholder: true,
  bidCount: 0,
  topBids: [],
})

/** Makes decision records, each with its own id. */
export const recordsFrom =
  (ids: Ids) =>
  (record: Partial<DecisionRecord> = {}): DecisionRecord => ({
    decisionId: ids.next(),
    decidedAt: new Date('2026-06-15T12:00:00Z'),
    kind: 'auction',
    placementKey: undefined,
    placementType: 'feed',
    siteKey: undefined,
    userKey: 'user-key',
    currency: 'EUR',
    context: { device: 'mobile', country: 'DE' },
    seed: 4_294_967_295,
    decision: aDecision(),
    durationMicros: 25,
    ...record,
  })

export function batchOf(records: readonly DecisionRecord[]): PackedBatch {
  const batch = new PackedBatch()
  for (const record of records) batch.add(record)
  return batch
}
