import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { type Claim, isHeldByAnother, saveProof } from './store.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** A site that an operator makes, or whose domain an operator changes, is confirmed by that if nobody else holds it. */
export async function confirmByHand(
  { db, clock }: Deps,
  site: Pick<Claim, 'id' | 'domain'>,
): Promise<void> {
  if (await isHeldByAnother(db, site)) return
  await saveProof(db, site.id, { provenBy: 'operator', now: clock.now() })
}
