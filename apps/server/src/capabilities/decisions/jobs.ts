import { RECENT_PURCHASE_DAYS } from '@placard/decision-engine'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { addDays, daysToPrepare, oldestDayKept } from './records/auction-day.ts'
import { addPartitions, dropPartitionsBefore } from './records/store-partitions.ts'
import { forgetOldFacts } from './readers/store-known-readers.ts'

/**
 * Creates the partitions of the next days. Also called before a node listens, because records need
 * one.
 */
export const prepareAuctionDays = ({ db, clock }: { db: Database; clock: Clock }) =>
  addPartitions(db, daysToPrepare(clock.now()))

export interface RetentionDeps {
  readonly db: Database
  readonly clock: Clock
  readonly auctionRetentionDays: number
}

/** Creates partitions ahead and drops those past their retention. Runs every hour. */
export const keepAuctionDaysJob = defineJob({
  name: 'decisions.keep-auction-days',
  payload: Type.Object({}),
  retries: 3,
  backoff: { firstSeconds: 10, maxSeconds: 300 },
  timeoutSeconds: 120,
  concurrency: 1,
  async run(_, { db, clock, auctionRetentionDays }: RetentionDeps, { log }) {
    const made = await prepareAuctionDays({ db, clock })
    const dropped = await dropPartitionsBefore(db, oldestDayKept(clock.now(), auctionRetentionDays))
    if (made.length + dropped.length > 0) log.info({ made, dropped }, 'auction days kept')
  },
})

const SEGMENT_DAYS = 90
/** As long as a purchase raises predicted click rates. */
const PURCHASE_DAYS = RECENT_PURCHASE_DAYS + 1
const FORGET_BATCH = 10_000

/**
 * Forgets segments of readers that their publisher has not mentioned for 90 days, and purchases that
 * raise no click rate any more. Runs every hour.
 */
export const clearSegmentsJob = defineJob({
  name: 'decisions.clear-segments',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 120,
  concurrency: 1,
  async run(_, { db, clock }: { db: Database; clock: Clock }, { log }) {
    const now = clock.now()
    const forgotten = await forgetOldFacts(db, {
      at: now,
      unheardSince: addDays(now, -SEGMENT_DAYS),
      boughtSince: addDays(now, -PURCHASE_DAYS),
      emptySince: addDays(now, -1),
      limit: FORGET_BATCH,
    })
    if (forgotten > 0) log.info({ forgotten }, 'old facts about readers forgotten')
  },
})
