import type { Database } from '../../platform/database/connect.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { type Actor, getIds, type RowIds } from '../../platform/resources/index.ts'
import { advertiser, campaign } from './resources.ts'

/** A campaign the actor may see. Throws its Problem for any other. */
export const getCampaign = (
  db: Database,
  { principal }: Pick<Actor, 'principal'>,
  publicId: string,
): Promise<RowIds> => getIds(db, campaign, { publicId, principal })

/** Only the key of such a campaign. */
export async function getCampaignKey(
  db: Database,
  principal: Principal,
  publicId: string,
): Promise<number> {
  return Number((await getIds(db, campaign, { publicId, principal })).id)
}

/** An advertiser the caller may see. Throws its Problem for any other. */
export async function getAdvertiserKey(
  db: Database,
  principal: Principal,
  publicId: string,
): Promise<number> {
  return Number((await getIds(db, advertiser, { publicId, principal })).id)
}
