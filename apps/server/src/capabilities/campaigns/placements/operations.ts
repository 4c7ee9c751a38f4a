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
  addLink,
  deleteLink,
  findCampaignInScope,
  findLink,
  findPlacementKey,
  holdCampaignInScope,
  listLinkRecords,
  lockLink,
  mayRunOn,
  saveLink,
} from './store.ts'
import { listBannersOfAds } from '../store.ts'

/** The campaign of a path, and who asks. */
export interface CampaignTarget {
  readonly campaignId: string
  readonly actor: Actor
}

export interface LinkTarget extends CampaignTarget {
  readonly placementId: string
  readonly expectedVersion?: number | undefined
}

export async function listLinks(db: Database, target: CampaignTarget & { query: Values }) {
  const { key: campaignKey } = await getCampaign(db, target)
  const page = pageFrom(target.query)
  const { rows, ...next } = cutPage(await listLinkRecords(db, { campaignKey, page }), page)
  return { items: rows.map(presentLink), ...next }
}

export async function getLink(db: Database, target: LinkTarget) {
  const { key: campaignKey } = await getCampaign(db, target)
  const link = await findLink(db, { ...target, campaignKey })
  if (!link) throw noLink(target)
  return link
}

/** A campaign runs on a placement from now on; its ads are put before the sites that show it. */
export async function linkPlacement(
  deps: ResourceDeps,
  target: Omit<LinkTarget, 'expectedVersion'> & { isActive?: boolean | undefined },
) {
  const { db, clock } = deps
  const campaign = await holdCampaign(db, target)
  const placementKey = await findPlacementKey(db, target.placementId)
  if (!placementKey) throw new Problem(placementProblems.notFound, target.placementId)
  if (!(await mayRunOn(db, { campaignKey: campaign.key, placementKey }))) {
    throw new Problem(assignmentProblems.houseElsewhere, target.placementId)
  }

  const key = { campaignKey: campaign.key, placementKey }
  if (!(await addLink(db, { ...key, isActive: target.isActive ?? true, now: clock.now() }))) {
    throw new Problem(assignmentProblems.linkExists, target.placementId)
  }
  const bannerIds = await listBannersOfAds(db, campaign.key)
  if (bannerIds.length > 0) await requestApprovals(deps, { bannerIds, placementId: placementKey })

  const after = await getLink(db, target)
  await auditLink(deps, { action: 'create', target, campaign, after: presentLink(after) })
  return after
}

export async function changeLink(deps: ResourceDeps, target: LinkTarget & { isActive: boolean }) {
  const { campaign, link } = await holdLink(deps.db, target)
  await saveLink(deps.db, { ...link, isActive: target.isActive })

  const after = await getLink(deps.db, target)
  await auditLink(deps, {
    action: 'update',
    target,
    campaign,
    before: presentLink(link),
    after: presentLink(after),
  })
  return after
}

/** Ends a link outright, and the assignments that stand on it. */
export async function unlinkPlacement(deps: ResourceDeps, target: LinkTarget): Promise<void> {
  const { campaign, link } = await holdLink(deps.db, target)
  for (const assignment of await deleteAssignmentsOf(deps.db, link)) {
    const before = presentAs(contract.Assignment, { ...assignment, ...namesOf(target) })
    await auditAssignment(deps, {
      action: 'delete',
      target: { ...target, bannerId: assignment.bannerId },
      campaign,
      before,
    })
  }
  await deleteLink(deps.db, link)
  await auditLink(deps, { action: 'delete', target, campaign, before: presentLink(link) })
}

export const presentLink = (link: object) => presentAs(contract.PlacementLink, link)

/** The link of a path, locked, with its campaign. */
export async function holdLink(db: Database, target: LinkTarget) {
  const campaign = await holdCampaign(db, target)
  const link = await lockLink(db, { ...target, campaignKey: campaign.key })
  if (!link) throw noLink(target)
  refuseStale(link, target)
  return { campaign, link }
}

export async function getCampaign(db: Database, { campaignId, actor }: CampaignTarget) {
  const key = { publicId: campaignId, scope: actor.principal }
  const campaign = await findCampaignInScope(db, key)
  if (!campaign) throw new Problem(campaignProblems.notFound, `campaign ${campaignId}`)
  return campaign
}

async function holdCampaign(db: Database, { campaignId, actor }: CampaignTarget) {
  const key = { publicId: campaignId, scope: actor.principal }
  const campaign = await holdCampaignInScope(db, key)
  if (!campaign) throw new Problem(campaignProblems.notFound, `campaign ${campaignId}`)
  return campaign
}

export const namesOf = ({ campaignId, placementId }: LinkTarget) => ({ campaignId, placementId })

const noLink = ({ placementId }: LinkTarget) =>
  new Problem(assignmentProblems.linkNotFound, `placement ${placementId}`)

interface LinkChange<Target extends LinkTarget = LinkTarget> {
  readonly action: 'create' | 'update' | 'delete'
  readonly target: Target
  readonly campaign: { readonly accountId: bigint }
  readonly before?: Values
  readonly after?: Values
}

const auditLink = (deps: ResourceDeps, { target, ...change }: LinkChange) =>
  audit(deps, { ...change, ...target, noun: 'placement link', ids: [target.placementId] })

export const auditAssignment = (
  deps: ResourceDeps,
  { target, ...change }: LinkChange<LinkTarget & { readonly bannerId: string }>,
) =>
  audit(deps, {
    ...change,
    ...target,
    noun: 'banner assignment',
    ids: [target.placementId, target.bannerId],
  })

function audit(
  deps: ResourceDeps,
  entry: Omit<LinkChange, 'target'> & LinkTarget & { noun: string; ids: readonly string[] },
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
