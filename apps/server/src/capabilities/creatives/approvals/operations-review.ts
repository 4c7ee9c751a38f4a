import type { Actor, ResourceDeps } from '../../../platform/resources/index.ts'
import {
  addApprovals,
  listBookedBanners,
  listMissingApprovals,
  lockApprovals,
  resetApprovals,
} from './store-approvals.ts'

/**
 * Asks each site that shows the placement to approve the banners. Existing approvals stay as they
 * are.
 */
export async function requestApprovals(
  { db, ids, clock }: ResourceDeps,
  { bannerIds, placementId }: { bannerIds: readonly bigint[]; placementId: bigint },
): Promise<void> {
  if (bannerIds.length === 0) return
  const now = clock.now()
  const missing = await listMissingApprovals(db, { bannerIds, placementId })
  const rows = missing.map((pair) => ({
    ...pair,
    publicId: ids.next(),
    createdAt: now,
    updatedAt: now,
  }))
  await addApprovals(db, rows)
}

/** A new slot shows the placement on another site, which must approve everything booked there. */
export async function requestApprovalsOfSlot(
  deps: ResourceDeps,
  { placementId }: { placementId: bigint },
): Promise<void> {
  const bannerIds = await listBookedBanners(deps.db, placementId)
  await requestApprovals(deps, { bannerIds, placementId })
}

/** After a change of content, every site must review the banner again. */
export async function returnToPending(
  deps: ResourceDeps,
  { bannerId, actor }: { bannerId: bigint; actor: Actor },
): Promise<void> {
  const approvals = await lockApprovals(deps.db, bannerId)
  if (approvals.length === 0) return

  await resetApprovals(deps.db, bannerId, deps.clock.now())
  for (const { publicId, accountId, status, reason } of approvals) {
    if (status === 'pending') continue
    await deps.audit(deps.db, {
      actor,
      accountId,
      action: 'creative-approval.return-to-pending',
      entity: 'creative approval',
      entityId: publicId,
      before: { status, reason },
      after: { status: 'pending', reason: null },
    })
  }
}
