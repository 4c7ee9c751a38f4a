import { Problem } from '../../../platform/problem.ts'
import type { Actor, ResourceDeps } from '../../../platform/resources/index.ts'
import {
  bookPlacement,
  getCampaignPlacement,
  listAssignments,
  removePlacement,
} from '../../campaigns/index.ts'
import { bookingProblems } from '../problems.ts'
import { refuseUnoffered, sells } from './operations.ts'

interface OwnPlacement {
  readonly campaignId: string
  readonly placementId: string
  readonly actor: Actor
}

/** Books an offered placement. One that the campaign has already stays as it is. */
export async function bookOffered(deps: ResourceDeps, target: OwnPlacement) {
  await refuseUnoffered(deps.db, { ...target, isBookedDirectly: false })
  const known = await getCampaignPlacement(deps.db, target).catch((error: unknown) => {
    if (error instanceof Problem && error.kind.code === 'CAMPAIGN_PLACEMENT_NOT_FOUND') return
    throw error
  })
  return known ?? bookPlacement(deps, target)
}

/** What ad operations have booked there directly is theirs to end. */
export async function leaveOffered(deps: ResourceDeps, target: OwnPlacement): Promise<void> {
  const booked = await listAssignments(deps.db, { ...target, query: { limit: 1 } })
  if (booked.items.length > 0 && !sells(target.actor)) {
    throw new Problem(bookingProblems.bookedDirectly, 'Ask them to take the banners off first.')
  }
  await removePlacement(deps, target)
}
