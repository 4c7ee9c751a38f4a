import {
  creativeApproval,
  decideApproval,
} from '../../../server/src/capabilities/creatives/index.ts'
import { listRows } from '../../../server/src/platform/resources/index.ts'
import { REJECTED, UNDECIDED, type BannerKey } from './banners.ts'
import { ownerOf } from './seed-sellers.ts'
import { SITES, type SiteKey } from './sellers.ts'
import type { Banners, DemoDeps, Inventory, People } from './world.ts'

interface Desk {
  readonly people: People
  readonly inventory: Inventory
  readonly banners: Banners
}

/** Each site reviews the banners booked on it: it approves most, leaves some pending and rejects one. */
export async function decideApprovals(deps: DemoDeps, desk: Desk): Promise<void> {
  const keys = new Map(Object.entries(desk.banners).map(([key, id]) => [id, key as BannerKey]))
  for (const siteKey of Object.keys(SITES) as SiteKey[]) {
    const actor = ownerOf(desk.people, SITES[siteKey].publisher)
    const query = { siteId: desk.inventory.sites[siteKey], limit: 200 }
    const { items } = await listRows(deps, creativeApproval, { query, scope: actor.principal })
    for (const { id, bannerId } of items) {
      const decision = decisionOn(keys.get(String(bannerId))!)
      if (decision) await decideApproval(deps, { publicId: String(id), actor, ...decision })
    }
  }
}

function decisionOn(banner: BannerKey) {
  if (UNDECIDED.includes(banner)) return undefined
  const reason = REJECTED[banner]
  return reason ? ({ action: 'reject', reason } as const) : ({ action: 'approve' } as const)
}
