import type { Database } from '../../platform/database/connect.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { type Actor, getIds, type RowIds } from '../../platform/resources/index.ts'
import { advertiser, campaign } from './resources.ts'

/** A campaign that the actor may see; throws its Problem for any other. */
export const getCampaign = (
  db: Database,
  { principal }: Pick<Actor, 'principal'>,
  publicId: string,
): Promise<RowIds> => getIds(db, campaign, { publicId, principal })

/** The same, for those who need its key alone. */
export async function getCampaignKey(
  db: Database,
  principal: Principal,
  publicId: string,
): Promise<number> {
  return Number((await getIds(db, campaign, { publicId, principal })).id)
}

/** An advertiser that the caller may see; throws its Problem for any other. */
export async function getAdvertiserKey(
  db: Database,
  principal: Principal,
  publicId: string,
): Promise<number> {
  return Number((await getIds(db, advertiser, { publicId, principal })).id)
}
