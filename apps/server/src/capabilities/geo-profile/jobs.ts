import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { GeoIpKeeper } from '../../platform/geo-ip/keeper.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { reviewIfChanged } from './admin/operations-repair.ts'
import type { ReviewDeps } from './review/operations-review.ts'
import { deleteFacts, deleteFaded } from './profile/store-retention.ts'
import { deleteProcessed, eraseAddresses } from './ingest/store-queue.ts'

const ROUNDS_MAX = 100

interface RetentionDeps {
  readonly db: Database
  readonly clock: Clock
  readonly observationRetentionDays: number
}

/** Erases addresses after a day in every state, and deletes what is too old, every hour. */
export const trimGeoProfileJob = defineJob({
  name: 'geo-profile.trim-observations',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 10, maxSeconds: 60 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { db, clock, observationRetentionDays }: RetentionDeps, { log, signal }) {
    const now = clock.now()
    const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
    const erased = await eraseAddresses(db, daysAgo(1))
    const oldest = daysAgo(observationRetentionDays)
    const steps = [
      () => deleteProcessed(db, daysAgo(1)),
      () => deleteFacts(db, oldest),
      () => deleteFaded(db, { now, unseenSince: oldest }),
    ]
    let deleted = 0
    for (const step of steps) {
      for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round++) {
        const count = await step()
        deleted += count
        if (count === 0) break
      }
    }
    if (erased + deleted > 0) log.info({ erased, deleted }, 'geo profile trimmed')
  },
})

/** Checks the Geo-IP file, and downloads a newer one if an address is set, every day. */
export const refreshGeoIpJob = defineJob({
  name: 'geo-profile.refresh-geo-ip',
  payload: Type.Object({}),
  retries: 3,
  backoff: { firstSeconds: 60, maxSeconds: 3_600 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { geoIp }: { geoIp: GeoIpKeeper }, { log, signal }) {
    const outcome = await geoIp.fetchNewer(signal)
    log.info({ outcome, builtAt: geoIp.countries.builtAt }, 'Geo-IP file checked')
  },
})

/** Runs the review rule for all users after it changed, at a worker's start and every hour. */
export const reviewAgainJob = defineJob({
  name: 'geo-profile.review-again',
  payload: Type.Object({}),
  retries: 3,
  backoff: { firstSeconds: 60, maxSeconds: 900 },
  timeoutSeconds: 3_600,
  concurrency: 1,
  dedupeKey: () => 'review-again',
  async run(_, { geoReview }: { geoReview: ReviewDeps }, { log, signal }) {
    const progress = (message: string) => log.info({ message }, 'reviewing all users again')
    const reviewed = await reviewIfChanged({ ...geoReview, progress }, signal)
    if (reviewed) log.info(reviewed, 'the review rule changed: all users were reviewed again')
  },
})
