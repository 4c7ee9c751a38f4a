import { Type } from 'typebox'
import { defineJob } from '../../platform/jobs/job.ts'
import { moveDueBanners } from '../creatives/index.ts'
import { moveDueCampaigns, type ScheduleDeps } from './operations-campaigns.ts'

/** Moves banners and campaigns to the state of their dates, every minute. */
export const syncScheduleStatusJob = defineJob({
  name: 'banner.sync_schedule_status',
  queue: 'banners',
  payload: Type.Object({}),
  retries: 2,
  backoff: { firstSeconds: 5, maxSeconds: 20 },
  timeoutSeconds: 50,
  concurrency: 1,
  dedupeKey: (_, dueAt) => `banner-sync-${dueAt.toISOString().replaceAll(/\D/g, '').slice(0, 12)}`,
  async run(_, deps: ScheduleDeps, { log, signal }) {
    const banners = await untilNoneIsDue(() => moveDueBanners(deps), signal)
    const campaigns = await untilNoneIsDue(() => moveDueCampaigns(deps), signal)
    if (banners + campaigns > 0) log.info({ banners, campaigns }, 'schedules followed')
  },
})

/** A step moves a limited number of rows, each in its own transaction. */
async function untilNoneIsDue(step: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let moved = 0
  while (!signal.aborted) {
    const count = await step()
    if (count === 0) break
    moved += count
  }
  return moved
}
