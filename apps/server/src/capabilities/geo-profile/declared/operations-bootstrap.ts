import { adoptCountry, type DeclaredDeps } from './operations-declared.ts'
import { listUsersWithoutCountry, saveDeclaredCountry } from '../review/store-reviews.ts'

const AT_ONCE = 100

/** Asks the User Service about users who were seen and are not known yet. How many there were. */
export async function adoptSeenUsers(
  deps: Pick<DeclaredDeps, 'db' | 'clock' | 'users'>,
): Promise<number> {
  const userIds = await listUsersWithoutCountry(deps.db, AT_ONCE)
  for (const userId of userIds) {
    if ((await adoptCountry(deps, userId)) === 'known') continue
    await saveDeclaredCountry(deps.db, { userId, country: null, now: deps.clock.now() })
  }
  return userIds.length
}
