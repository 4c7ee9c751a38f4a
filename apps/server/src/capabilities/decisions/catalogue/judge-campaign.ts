import {
  createIndex,
  type DecisionIndex,
  finishLoad,
  type Fit,
  judgePlace,
} from '@placard/decision-engine'
import type { Database } from '../../../platform/database/connect.ts'
import type { TableName } from './catalogue-rows.ts'
import { Content } from './content.ts'
import { listRows } from './reads.ts'
import { listUnitsOfCampaign } from './reads-campaign.ts'
import { type CatalogueState, TABLE_APPLIERS } from './table-appliers.ts'

export interface JudgedPair extends Fit {
  readonly bannerKey: number
  readonly placementKey: number
}

interface CampaignQuestion {
  readonly campaignKey: number
  /** When it would run. */
  readonly fromMs: number
  readonly untilMs: number | undefined
}

/**
 * Every banner of a campaign on every placement where it is booked, judged by the gates of a
 * decision. Reads the rows as the index of a node does, also those that only this transaction sees.
 */
export async function judgeCampaign(
  db: Database,
  { campaignKey, fromMs, untilMs }: CampaignQuestion,
): Promise<readonly JudgedPair[]> {
  const { index, content } = await loadCampaign(db, campaignKey)
  const booked = await listRows(db, 'banner_assignments', [campaignKey])
  const candidates = [
    ...[...content.ads].map(([key, { bannerKey }]) => ({ kind: 'ad' as const, key, bannerKey })),
    ...booked.map(({ key, bannerKey }) => ({ kind: 'assignment' as const, key, bannerKey })),
  ]
  const closest = new Map<string, JudgedPair>()
  for (const { bannerKey, ...candidate } of candidates) {
    for (const placementKey of content.placements.keys()) {
      const fit = judgePlace(index, { ...candidate, placementKey, fromMs, untilMs })
      if (fit) keepClosest(closest, { bannerKey, placementKey, ...fit })
    }
  }
  return [...closest.values()]
}

/** A banner may bid and be booked on one placement: the way that meets fewer obstacles counts. */
function keepClosest(closest: Map<string, JudgedPair>, pair: JudgedPair): void {
  const key = `${pair.bannerKey} ${pair.placementKey}`
  const before = closest.get(key)
  if (before && before.reasons.length <= pair.reasons.length) return
  closest.set(key, pair)
}

interface Loaded {
  readonly index: DecisionIndex
  readonly content: Content
}

async function loadCampaign(db: Database, campaignKey: number): Promise<Loaded> {
  const units = await listUnitsOfCampaign(db, campaignKey)
  const content = new Content()
  const index = createIndex({ expectedAds: units.get('ads')?.length ?? 0 })
  const state: CatalogueState = { index, content, budgets: NO_BUDGETS }
  for (const table of units.keys()) await put(db, { state, table, units: units.get(table)! })
  finishLoad(index)
  return { index, content }
}

interface Putting<Table extends TableName> {
  readonly state: CatalogueState
  readonly table: Table
  readonly units: readonly number[]
}

/** A row that the index of a node would refuse is refused here too. */
async function put<Table extends TableName>(
  db: Database,
  { state, table, units }: Putting<Table>,
): Promise<void> {
  const applier = TABLE_APPLIERS[table]
  for (const row of await listRows(db, table, units)) {
    try {
      applier.put(state, row)
    } catch {
      applier.refuse(state, row)
    }
  }
}

/** Where a banner can be shown does not depend on money. */
const NO_BUDGETS: CatalogueState['budgets'] = {
  putAdvertiser() {},
  putCampaign() {},
  removeCampaign() {},
  expectCost() {},
}
