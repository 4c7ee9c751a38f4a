import type { Actor, ResourceDeps } from '../../platform/resources/index.ts'
import { requestApprovals } from '../creatives/index.ts'
import { carryToAds, carryToAdSets, listPlacementsOf } from './store.ts'

interface DeletionChange {
  readonly actor: Actor
  readonly before: { readonly deletedAt: Date | null } | undefined
  readonly after: { readonly id: bigint; readonly deletedAt: Date | null }
}

/** Deletes what lies in a campaign at the same instant. A restore brings back exactly that. */
export async function carryCampaignDeletion(
  deps: ResourceDeps,
  change: DeletionChange,
): Promise<void> {
  const span = spanOf(deps, change)
  if (!span) return
  const campaignId = change.after.id
  const sets = await carryToAdSets(deps.db, { ...span, campaignId })
  const ads = await carryToAds(deps.db, { ...span, inside: { campaignId } })
  await auditCarried(deps, change, { noun: 'ad set', rows: sets })
  await auditCarried(deps, change, { noun: 'ad', rows: ads })
}

/** The same for the ads of an ad set. */
export async function carryAdSetDeletion(
  deps: ResourceDeps,
  change: DeletionChange,
): Promise<void> {
  const span = spanOf(deps, change)
  if (!span) return
  const rows = await carryToAds(deps.db, { ...span, inside: { adSetId: change.after.id } })
  await auditCarried(deps, change, { noun: 'ad', rows })
}

/**
 * The instants of deletion before and after the change. Undefined if the change was something else.
 */
function spanOf({ clock }: ResourceDeps, { before, after }: DeletionChange) {
  if (!before || Boolean(before.deletedAt) === Boolean(after.deletedAt)) return undefined
  return { from: before.deletedAt, to: after.deletedAt, now: clock.now() }
}

async function auditCarried(
  deps: ResourceDeps,
  { actor, before, after }: DeletionChange,
  carried: { noun: string; rows: readonly { publicId: string; accountId: bigint }[] },
): Promise<void> {
  const verb = after.deletedAt ? 'delete' : 'restore'
  for (const { publicId, accountId } of carried.rows) {
    await deps.audit(deps.db, {
      actor,
      accountId,
      action: `${carried.noun.replaceAll(' ', '-')}.${verb}`,
      entity: carried.noun,
      entityId: publicId,
      before: { deletedAt: before?.deletedAt ?? null },
      after: { deletedAt: after.deletedAt },
    })
  }
}

/** Asks every site that the campaign already runs on to approve a new ad's banner. */
export async function requestApprovalsOfAd(
  deps: ResourceDeps,
  ad: { readonly campaignId: bigint; readonly bannerId: bigint },
): Promise<void> {
  for (const placementId of await listPlacementsOf(deps.db, ad.campaignId)) {
    await requestApprovals(deps, { bannerIds: [ad.bannerId], placementId })
  }
}
