import {
  ad,
  campaign,
  CAMPAIGN_ACTIONS,
  type CampaignAction,
  type CampaignEvents,
  type CampaignState,
  moveCampaign,
} from '../campaigns/index.ts'
import {
  createRow,
  getRow,
  patchRow,
  present,
  removeRow,
  type Resource,
  type ResourceDeps,
  restoreRow,
  type Target,
  type Values,
} from '../../platform/resources/index.ts'
import type { ChangeSetRow } from './store.ts'

/** What change sets can change. */
const RESOURCES: Readonly<Record<ChangeSetRow['entity'], Resource>> = { campaign, ad }

export interface ThingDeps extends ResourceDeps {
  readonly events: CampaignEvents
}

export interface Changed {
  /** The fields that differ, as the API shows them. */
  readonly before: Values
  readonly after: Values
  readonly version: number
  /** Of a row that was made. */
  readonly entityId?: string
}

type WorkedRow = Pick<ChangeSetRow, 'entity' | 'entityId' | 'change' | 'version'>

/** Makes the change of a row, under all rules of its resource. */
export async function makeChange(
  deps: ThingDeps,
  row: WorkedRow,
  actor: Target['actor'],
): Promise<Changed> {
  const { change } = row
  if (change.do === 'create') return makeRow(deps, { ...row, fields: change.fields }, actor)
  const target = targetOf(row, actor)
  const before = await shownRow(deps, row, actor)
  if (!isInState(row, before)) await perform(deps, row, target)
  return difference(before, await shownRow(deps, row, actor))
}

/** Makes a new row. What was given is what changed. */
async function makeRow(
  deps: ThingDeps,
  { entity, fields }: WorkedRow & { readonly fields: Values },
  actor: Target['actor'],
): Promise<Changed> {
  const resource = RESOURCES[entity]
  const record = await createRow(deps, resource, { body: fields, actor })
  const shown = present(resource, record)
  const after = Object.fromEntries(Object.keys(fields).map((field) => [field, shown[field]]))
  return { before: {}, after, version: Number(shown['version']), entityId: String(shown['id']) }
}

/** Puts back what a row had before, if nobody changed it since. */
export async function takeBack(
  deps: ThingDeps,
  row: WorkedRow & Pick<ChangeSetRow, 'before' | 'after'>,
  actor: Target['actor'],
): Promise<Changed> {
  const { before, after } = row
  const target = targetOf(row, actor)
  const now = await shownRow(deps, row, actor)
  if (row.change.do === 'archive') await restoreRow(deps, RESOURCES[row.entity], target)
  else if (row.change.do === 'create') await removeRow(deps, RESOURCES[row.entity], target)
  else await patchRow(deps, RESOURCES[row.entity], { ...target, body: before ?? {} })
  if (before?.['status'] !== undefined) {
    await deps.events.campaignStateChanged(deps.db, {
      campaignId: row.entityId,
      advertiserId: String(now['advertiserId']),
      from: after?.['status'] as CampaignState,
      to: before['status'] as CampaignState,
      changedAt: deps.clock.now(),
    })
  }
  return difference(now, await shownRow(deps, row, actor))
}

const targetOf = ({ entityId, version }: WorkedRow, actor: Target['actor']): Target => ({
  publicId: entityId,
  actor,
  expectedVersion: version,
})

async function shownRow(
  { db }: ThingDeps,
  { entity, entityId: publicId }: WorkedRow,
  actor: Target['actor'],
): Promise<Values> {
  return present(RESOURCES[entity], await getRow(db, RESOURCES[entity], { publicId, actor }))
}

/** Pausing what is paused changes nothing, and is no fault. */
function isInState({ change }: WorkedRow, { status }: Values): boolean {
  return change.do === 'move' && status === CAMPAIGN_ACTIONS[change.move as CampaignAction]
}

async function perform(deps: ThingDeps, row: WorkedRow, target: Target): Promise<void> {
  const { change, entity } = row
  const resource = RESOURCES[entity]
  if (change.do === 'patch') {
    await patchRow(deps, resource, { ...target, body: change.fields })
  } else if (change.do === 'move') {
    await moveCampaign(deps, { ...target, action: change.move as CampaignAction })
  } else if (change.do === 'archive') {
    await removeRow(deps, resource, target)
  }
}

/** Every change moves these two. */
const ALWAYS = new Set(['version', 'updatedAt'])

function difference(before: Values, after: Values): Changed {
  const fields = Object.keys(after).filter(
    (field) => !ALWAYS.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const only = (values: Values) => Object.fromEntries(fields.map((field) => [field, values[field]]))
  return { before: only(before), after: only(after), version: Number(after['version']) }
}
