import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import { defineJob } from '../../../platform/jobs/job.ts'
import { notifyInterested, type NotifyDeps } from '../../notices/index.ts'
import { filmNotice, isFailing } from './failing-film.ts'
import { listFilmsWithErrors } from './store-films.ts'

/** Tells advertisers of films that players cannot play, once a day for each film. Runs every 15 minutes. */
export const watchFilmsJob = defineJob({
  name: 'tracking.watch-films',
  payload: Type.Object({}),
  retries: 5,
  backoff: { firstSeconds: 10, maxSeconds: 300 },
  timeoutSeconds: 300,
  concurrency: 1,
  async run(_, deps: NotifyDeps, { log }) {
    const now = deps.clock.now()
    const films = await listFilmsWithErrors(deps.db, new Date(now.getTime() - DAY_MS))
    const failing = films.filter(isFailing)
    for (const { bannerId, title, accountKey, starts, errors, code } of failing) {
      const message = {
        topic: 'film-errors',
        key: `film-errors:${bannerId}:${now.toISOString().slice(0, 10)}`,
        ...filmNotice(title, { starts, errors, code }),
        data: { bannerId, title, starts, errors, code },
      } as const
      await notifyInterested(deps, message, BigInt(accountKey))
    }
    if (failing.length > 0) log.info({ films: failing.length }, 'films that players cannot play')
  },
})
