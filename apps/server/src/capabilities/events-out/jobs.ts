import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { trimFeed } from '../../platform/database/ordered-feed.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { settledFeed } from '../tracking/index.ts'
import { auctionFeed } from './sources/reads.ts'
import { trimDeliveries } from './delivery/store.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly webhookRetentionDays: number
}

/**
 * How far behind a reader of batches may be. The events in the batches have a retention of their
 * own.
 */
const BATCH_DAYS = 7
const TRIM_BATCH = 10_000
const TRIMS_MAX = 100

/** Deletes finished deliveries, and records of batches that every reader has passed, every hour. */
export const trimEventsJob = defineJob({
  name: 'events-out.trim',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { db, clock, webhookRetentionDays }: Deps, { log }) {
    const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
    const trim = { olderThan: before(BATCH_DAYS), limit: TRIM_BATCH }
    const trimmed = {
      deliveries: await repeatedly(() => trimDeliveries(db, before(webhookRetentionDays))),
      auctionBatches: await repeatedly(() => trimFeed(db, auctionFeed, trim)),
      settledBatches: await repeatedly(() => trimFeed(db, settledFeed, trim)),
    }
    if (Object.values(trimmed).some((count) => count > 0)) log.info({ trimmed }, 'events trimmed')
  },
})

async function repeatedly(trim: () => Promise<number>): Promise<number> {
  let trimmed = 0
  for (let round = 0; round < TRIMS_MAX; round++) {
    const count = await trim()
    trimmed += count
    if (count < TRIM_BATCH) break
  }
  return trimmed
}
