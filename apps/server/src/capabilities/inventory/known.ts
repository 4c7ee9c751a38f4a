import type { Database } from '../../platform/database/connect.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { getIds } from '../../platform/resources/index.ts'
import { placement } from './resources.ts'

/** The key of a placement the caller may see. Throws its Problem for any other. */
export async function getPlacementKey(
  db: Database,
  principal: Principal,
  publicId: string,
): Promise<number> {
  return Number((await getIds(db, placement, { publicId, principal })).id)
}
