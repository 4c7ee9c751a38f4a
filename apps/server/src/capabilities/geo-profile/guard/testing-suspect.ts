import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import { GEO_PROFILE } from './services.ts'
import { addBlockAction } from './store-blocks.ts'
import { saveDeclaredCountry, saveTransition } from '../review/store-reviews.ts'

/** A user with a recommended review and a suspicious session. Returns its block action's id. */
export async function suspectSomebody(
  { db, clock, ids }: { db: Database; clock: Clock; ids: Ids },
  userId: string,
  deviceSessionId = 'device-session-2',
): Promise<string> {
  const now = clock.now()
  await saveDeclaredCountry(db, { userId, country: null, now })
  const evidence = {
    candidateCountry: 'FR',
    declaredShare: 0.02,
    candidateShare: 0.95,
    evidenceDays: 20,
    evidenceSlots: 90,
  }
  const reasonCode = 'declared_country_unused'
  await saveTransition(db, { userId, isRecommended: true, reasonCode, evidence, now })
  const publicId = ids.next()
  const seen = { country: 'DE', firstSeenMs: now.getTime(), observations: 2 }
  const suspicion = {
    atMs: now.getTime(),
    target: { ...seen, country: 'VN', deviceSessionId },
    against: { ...seen, deviceSessionId: 'device-session-1' },
  }
  const state = 'awaiting_review'
  await addBlockAction(db, { publicId, userId, suspicion, state, actor: GEO_PROFILE, now })
  return publicId
}
