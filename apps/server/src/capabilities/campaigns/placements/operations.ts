import * as contract from '@placard/contract/assignments'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  cutPage,
  pageFrom,
  presentAs,
  refuseStale,
  type Actor,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { requestApprovals } from '../../creatives/index.ts'
import { placementProblems } from '../../inventory/index.ts'
import { assignmentProblems, campaignProblems } from '../problems.ts'
import { deleteAssignmentsOf } from '../assignments/store.ts'
import {
  addCampaignPlacement,
  deleteCampaignPlacement,
  findCampaignInScope,
  findCampaignPlacement,
  findPlacementKey,
  shareLockCampaignInScope,
  listPlacementRecords,
  lockCampaignPlacement,
  mayRunOn,
  saveCampaignPlacement,
} from './store.ts'
import { listBannersOfAds } from '../store.ts'

/** The campaign of a path, and the caller. */
export interface CampaignTarget {
  readonly campaignId: string
  readonly actor: Actor
}

export interface CampaignPlacementTarget extends CampaignTarget {
  readonly placementId: string
  readonly expectedVersion?: number | undefined
}

export async function listCampaignPlacements(
  db: Database,
  target: CampaignTarget & { query: Values },
) {
  const { key: campaignKey } = await getCampaign(db, target)
  const page = pageFrom(target.query)
  const { rows, ...next } = cutPage(await listPlacementRecords(db, { campaignKey, page }), page)
  return { items: rows.map(presentCampaignPlacement), ...next }
}

export async function getCampaignPlacement(db: Database, target: CampaignPlacementTarget) {
  const { key: campaignKey } = await getCampaign(db, target)
  const booking = await findCampaignPlacement(db, { ...target, campaignKey })
  if (!booking) throw noCampaignPlacement(target)
  return booking
}

/** Lets a campaign run on a placement, and asks the sites that show it to approve its ads. */
export async function bookPlacement(
  deps: ResourceDeps,
  target: Omit<CampaignPlacementTarget, 'expectedVersion'> & { isActive?: boolean | undefined },
) {
  const { db, clock } = deps
  const campaign = await shareLockCampaign(db, target)
  const placementKey = await findPlacementKey(db, target.placementId)
  if (!placementKey) throw new Problem(placementProblems.notFound, target.placementId)
  if (!(await mayRunOn(db, { campaignKey: campaign.key, placementKey }))) {
    throw new Problem(assignmentProblems.houseElsewhere, target.placementId)
  }

  const key = { campaignKey: campaign.key, placementKey }
  if (
    !(await addCampaignPlacement(db, {
      ...key,
      isActive: target.isActive ?? true,
      now: clock.now(),
    }))
  ) {
    throw new Problem(assignmentProblems.booked, target.placementId)
  }
  const bannerIds = await listBannersOfAds(db, campaign.key)
  if (bannerIds.length > 0) await requestApprovals(deps, { bannerIds, placementId: placementKey })

  const after = await getCampaignPlacement(db, target)
  await auditCampaignPlacement(deps, {
    action: 'create',
    target,
    campaign,
    after: presentCampaignPlacement(after),
  })
  return after
}

export async function changeCampaignPlacement(
  deps: ResourceDeps,
  target: CampaignPlacementTarget & { isActive: boolean },
) {
  const { campaign, booking } = await lockCampaignPlacementOf(deps.db, target)
  await saveCampaignPlacement(deps.db, { ...booking, isActive: target.isActive })

  const after = await getCampaignPlacement(deps.db, target)
  await auditCampaignPlacement(deps, {
    action: 'update',
    target,
    campaign,
    before: presentCampaignPlacement(booking),
    after: presentCampaignPlacement(after),
  })
  return after
}

/** Deletes a campaign placement and its assignments. */
export async function removePlacement(
  deps: ResourceDeps,
  target: CampaignPlacementTarget,
): Promise<void> {
  const { campaign, booking } = await lockCampaignPlacementOf(deps.db, target)
  for (const assignment of await deleteAssignmentsOf(deps.db, booking)) {
    const before = presentAs(contract.Assignment, { ...assignment, ...namesOf(target) })
    await auditAssignment(deps, {
      action: 'delete',
      target: { ...target, bannerId: assignment.bannerId },
      campaign,
      before,
    })
  }
  await deleteCampaignPlacement(deps.db, booking)
  await auditCampaignPlacement(deps, {
    action: 'delete',
    target,
    campaign,
    before: presentCampaignPlacement(booking),
  })
}

export const presentCampaignPlacement = (booking: object) =>
  presentAs(contract.PlacementLink, booking)

/** The campaign placement of a path, locked, with its campaign. */
export async function lockCampaignPlacementOf(db: Database, target: CampaignPlacementTarget) {
  const campaign = await shareLockCampaign(db, target)
  const booking = await lockCampaignPlacement(db, { ...target, campaignKey: campaign.key })
  if (!booking) throw noCampaignPlacement(target)
  refuseStale(booking, target)
  return { campaign, booking }
}

export async function getCampaign(db: Database, { campaignId, actor }: CampaignTarget) {
  const key = { publicId: campaignId, scope: actor.principal }
  const campaign = await findCampaignInScope(db, key)
  if (!campaign) throw new Problem(campaignProblems.notFound, `campaign ${campaignId}`)
  return campaign
}

async function shareLockCampaign(db: Database, { campaignId, actor }: CampaignTarget) {
  const key = { publicId: campaignId, scope: actor.principal }
  const campaign = await shareLockCampaignInScope(db, key)
  if (!campaign) throw new Problem(campaignProblems.notFound, `campaign ${campaignId}`)
  return campaign
}

export const namesOf = ({ campaignId, placementId }: CampaignPlacementTarget) => ({
  campaignId,
  placementId,
})

const noCampaignPlacement = ({ placementId }: CampaignPlacementTarget) =>
  new Problem(assignmentProblems.notBooked, `placement ${placementId}`)

interface AuditedChange<Target extends CampaignPlacementTarget = CampaignPlacementTarget> {
  readonly action: 'create' | 'update' | 'delete'
  readonly target: Target
  readonly campaign: { readonly accountId: bigint }
  readonly before?: Values
  readonly after?: Values
}

const auditCampaignPlacement = (deps: ResourceDeps, { target, ...change }: AuditedChange) =>
  audit(deps, { ...change, ...target, noun: 'placement link', ids: [target.placementId] })

export const auditAssignment = (
  deps: ResourceDeps,
  { target, ...change }: AuditedChange<CampaignPlacementTarget & { readonly bannerId: string }>,
) =>
  audit(deps, {
    ...change,
    ...target,
    noun: 'banner assignment',
    ids: [target.placementId, target.bannerId],
  })

function audit(
  deps: ResourceDeps,
  entry: Omit<AuditedChange, 'target'> &
    CampaignPlacementTarget & { noun: string; ids: readonly string[] },
): Promise<void> {
  const { actor, campaign, action, noun, before, after } = entry
  return deps.audit(deps.db, {
    actor,
    accountId: campaign.accountId,
    action: `${noun.replaceAll(' ', '-')}.${action}`,
    entity: noun,
    entityId: [entry.campaignId, ...entry.ids].join('/'),
    ...(before && { before }),
    ...(after && { after }),
  })
}
