import { MINUTE_MS } from '@placard/calendar'
import { scheduleNextAsk, listUsersToAdopt, saveDeclaredCountry } from '../review/store-reviews.ts'
import { adoptCountry, type DeclaredDeps } from './operations-declared.ts'

const AT_ONCE = 100
const FAILURES_MAX = 5
const AFTER_FAILURE_MS = 5 * MINUTE_MS

type AdoptDeps = Pick<DeclaredDeps, 'db' | 'clock' | 'users'>

/** Asks for the countries of users without one. Stops after several failures in a row. */
export async function adoptSeenUsers(deps: AdoptDeps): Promise<number> {
  const userIds = await listUsersToAdopt(deps.db, { now: deps.clock.now(), limit: AT_ONCE })
  let failures = 0
  for (const userId of userIds) {
    try {
      await adopt(deps, userId)
      failures = 0
    } catch (error) {
      await scheduleNextAsk(
        deps.db,
        userId,
        new Date(deps.clock.now().getTime() + AFTER_FAILURE_MS),
      )
      if (++failures >= FAILURES_MAX) throw error
    }
  }
  return userIds.length
}

async function adopt(deps: AdoptDeps, userId: string): Promise<void> {
  if ((await adoptCountry(deps, userId)) === 'known') return
  await saveDeclaredCountry(deps.db, { userId, country: null, now: deps.clock.now() })
}
