import {
  CHANGE_SET_ROWS_MAX,
  type CreateChangeSet,
  SELECTED_IDS_MAX,
} from '@placard/contract/change-sets'
import { httpProblems } from '../../platform/http/problems.ts'
import { Problem } from '../../platform/problem.ts'
import {
  type Actor,
  listRows,
  listRowsById,
  type ResourceDeps,
  type Values,
} from '../../platform/resources/index.ts'
import { campaign, campaignProblems } from '../campaigns/index.ts'
import { bidChange, campaignChange, type Planned } from './edit.ts'
import { changeSetProblems } from './problems.ts'
import { listAdsOf, type NewRow } from './store.ts'

interface Planning {
  readonly body: CreateChangeSet
  readonly actor: Actor
}

/** The rows of a change set: each selected campaign or ad, with its change. */
export async function planRows(deps: ResourceDeps, planning: Planning): Promise<NewRow[]> {
  const { edit } = planning.body
  const selected = await select(deps, planning)
  if (edit.bids !== undefined) return planBids(deps, { ...planning, bids: edit.bids, selected })
  return selected.map((row) => ({
    entity: 'campaign',
    entityId: String(row['id']),
    name: String(row['name']),
    currency: String(row['currency']),
    version: Number(row['version']),
    ...outcomeOf(campaignChange(edit, row)),
  }))
}

const outcomeOf = (planned: Planned): Pick<NewRow, 'change' | 'outcome' | 'reason'> =>
  planned.do === 'refuse'
    ? { change: { do: 'patch', fields: {} }, outcome: 'refused', reason: planned.reason }
    : { change: planned }

async function planBids(
  { db }: ResourceDeps,
  planning: Planning & {
    readonly bids: NonNullable<CreateChangeSet['edit']['bids']>
    readonly selected: readonly Values[]
  },
): Promise<NewRow[]> {
  const campaignIds = planning.selected.map(({ id }) => String(id))
  const ads = await listAdsOf(db, { campaignIds, limit: CHANGE_SET_ROWS_MAX + 1 })
  if (ads.length > CHANGE_SET_ROWS_MAX) throw tooLarge('ads')
  return ads.map(({ publicId, name, version, bidMicros, campaignName, currency }) => ({
    entity: 'ad',
    entityId: publicId,
    name: `${campaignName} › ${name}`,
    currency,
    version,
    ...outcomeOf(bidChange(planning.bids, { bidMicros: String(bidMicros), currency })),
  }))
}

const tooLarge = (things: string) =>
  new Problem(
    changeSetProblems.tooLarge,
    `It holds more than ${CHANGE_SET_ROWS_MAX.toLocaleString('en')} ${things}.`,
  )

async function select(deps: ResourceDeps, { body, actor }: Planning): Promise<readonly Values[]> {
  const { ids, filter } = body.campaigns
  if ((ids === undefined) === (filter === undefined)) {
    throw new Problem(httpProblems.invalidRequest, 'The selection is not clear.', [
      { path: 'body/campaigns', message: 'must have either ids or filter' },
    ])
  }
  return ids ? selectById(deps, { ids, actor }) : selectByFilter(deps, { filter: filter!, actor })
}

async function selectById(
  { db }: ResourceDeps,
  { ids, actor }: { ids: readonly string[]; actor: Actor },
): Promise<readonly Values[]> {
  const rows = await listRowsById(db, campaign, { publicIds: ids, scope: actor.principal })
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id)).slice(0, SELECTED_IDS_MAX)
  if (missing.length > 0) throw new Problem(campaignProblems.notFound, missing.join(', '))
  return rows
}

const PAGE_ROWS = 200

async function selectByFilter(
  deps: ResourceDeps,
  { filter, actor }: { filter: Values; actor: Actor },
): Promise<readonly Values[]> {
  const rows: Values[] = []
  let cursor: string | undefined
  do {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }
    const page = await listRows(deps, campaign, { query, scope: actor.principal })
    rows.push(...page.items)
    cursor = page.nextCursor
    if (rows.length > CHANGE_SET_ROWS_MAX) throw tooLarge('campaigns')
  } while (cursor !== undefined)
  return rows
}
