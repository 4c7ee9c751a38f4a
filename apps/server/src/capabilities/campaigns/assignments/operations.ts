import * as contract from '@placard/contract/assignments'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  cutPage,
  pageFrom,
  presentAs,
  refuseStale,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { bannerProblems, requestApprovals } from '../../creatives/index.ts'
import {
  auditAssignment,
  getCampaignPlacement,
  lockCampaignPlacementOf,
  namesOf,
  type CampaignPlacementTarget,
} from '../placements/operations.ts'
import { assignmentProblems } from '../problems.ts'
import {
  addAssignment,
  deleteAssignment,
  findAssignment,
  findBannerInScope,
  listAssignmentRecords,
  lockAssignment,
  saveAssignment,
  type AssignmentFields,
} from './store.ts'

export interface AssignmentTarget extends CampaignPlacementTarget {
  readonly bannerId: string
}

/** In the placement's display order. */
export async function listAssignments(
  db: Database,
  target: CampaignPlacementTarget & { query: Values },
) {
  const booking = await getCampaignPlacement(db, target)
  const page = pageFrom({ ...target.query, sort: 'displayOrder' }, { displayOrder: 'number' })
  const { rows, ...next } = cutPage(await listAssignmentRecords(db, { booking, page }), page)
  return { items: rows.map((row) => presentAssignment({ ...row, ...namesOf(target) })), ...next }
}

export async function getAssignment(db: Database, target: AssignmentTarget) {
  const booking = await getCampaignPlacement(db, target)
  const assignment = await findAssignment(db, { ...target, booking })
  if (!assignment) throw notAssigned(target)
  return { ...assignment, ...namesOf(target) }
}

/**
 * Assigns a banner of the same advertiser to the placement, and asks the sites that show it for
 * approval.
 */
export async function assignBanner(
  deps: ResourceDeps,
  target: AssignmentTarget & { fields: AssignmentFields },
) {
  const { db, clock } = deps
  const { campaign, booking } = await lockCampaignPlacementOf(db, target)
  const banner = await getBanner(db, target)
  if (banner.advertiserId !== campaign.advertiserId) {
    throw new Problem(
      assignmentProblems.bannerOfAnotherAdvertiser,
      'Choose a banner of the same advertiser.',
    )
  }

  const key = { ...booking, bannerKey: banner.key }
  if (!(await addAssignment(db, { key, fields: target.fields, now: clock.now() }))) {
    throw new Problem(assignmentProblems.exists, `banner ${target.bannerId}`)
  }
  await requestApprovals(deps, { bannerIds: [banner.key], placementId: booking.placementKey })

  const after = await getAssignment(db, target)
  await auditAssignment(deps, {
    action: 'create',
    target,
    campaign,
    after: presentAssignment(after),
  })
  return after
}

export async function changeAssignment(
  deps: ResourceDeps,
  target: AssignmentTarget & { fields: AssignmentFields },
) {
  const { campaign, before, key } = await lockAssignmentOf(deps.db, target)
  await saveAssignment(deps.db, { key, fields: target.fields, now: deps.clock.now() })

  const after = await getAssignment(deps.db, target)
  await auditAssignment(deps, {
    action: 'update',
    target,
    campaign,
    before,
    after: presentAssignment(after),
  })
  return after
}

export async function unassignBanner(deps: ResourceDeps, target: AssignmentTarget): Promise<void> {
  const { campaign, before, key } = await lockAssignmentOf(deps.db, target)
  await deleteAssignment(deps.db, key)
  await auditAssignment(deps, { action: 'delete', target, campaign, before })
}

export const presentAssignment = (assignment: object) => presentAs(contract.Assignment, assignment)

async function lockAssignmentOf(db: Database, target: AssignmentTarget) {
  const { campaign, booking } = await lockCampaignPlacementOf(db, {
    ...target,
    expectedVersion: undefined,
  })
  const assignment = await lockAssignment(db, { ...target, booking })
  if (!assignment) throw notAssigned(target)
  refuseStale(assignment, target)
  return {
    campaign,
    before: presentAssignment({ ...assignment, ...namesOf(target) }),
    key: { ...booking, bannerKey: assignment.bannerKey },
  }
}

async function getBanner(db: Database, { bannerId, actor }: AssignmentTarget) {
  const banner = await findBannerInScope(db, { publicId: bannerId, scope: actor.principal })
  if (!banner) throw new Problem(bannerProblems.notFound, `banner ${bannerId}`)
  return banner
}

const notAssigned = ({ bannerId }: AssignmentTarget) =>
  new Problem(assignmentProblems.notFound, `banner ${bannerId}`)
