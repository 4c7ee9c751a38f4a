import * as contract from '@placard/contract/campaigns'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  cutPage,
  getRow,
  pageFrom,
  presentAs,
  type Actor,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { siteProblems } from '../../inventory/index.ts'
import { advertiserProblems, siteBlockProblems } from '../problems.ts'
import { advertiser } from '../resources.ts'
import { addBlock, deleteBlock, findBlock, findSite, listBlockRecords } from './store.ts'

export interface BlocksTarget {
  readonly advertiserId: string
  readonly actor: Actor
}

export interface BlockTarget extends BlocksTarget {
  readonly siteId: string
}

export async function listSiteBlocks(db: Database, target: BlocksTarget & { query: Values }) {
  const { id: advertiserKey } = await getAdvertiser(db, target)
  const page = pageFrom(target.query)
  const { rows, ...next } = cutPage(await listBlockRecords(db, { advertiserKey, page }), page)
  return { items: rows.map(presentBlock), ...next }
}

/** Keeps the advertiser's ads off the site. Blocking twice changes nothing. */
export async function blockSite(deps: ResourceDeps, target: BlockTarget) {
  const { db, clock } = deps
  const { id: advertiserKey, accountId } = await getAdvertiser(db, target)
  const site = await findSite(db, target.siteId)
  if (!site || site.deletedAt) throw new Problem(siteProblems.notFound, `site ${target.siteId}`)

  const key = { advertiserKey, siteKey: site.key }
  const isNew = await addBlock(db, { ...key, now: clock.now() })
  const block = presentBlock((await findBlock(db, key))!)
  if (isNew) await auditBlock(deps, target, { action: 'create', accountId, after: block })
  return block
}

export async function unblockSite(deps: ResourceDeps, target: BlockTarget): Promise<void> {
  const { id: advertiserKey, accountId } = await getAdvertiser(deps.db, target)
  const site = await findSite(deps.db, target.siteId)
  const key = site && { advertiserKey, siteKey: site.key }
  const block = key && (await findBlock(deps.db, key))
  if (!block || !(await deleteBlock(deps.db, key))) {
    throw new Problem(siteBlockProblems.notFound, `site ${target.siteId}`)
  }
  await auditBlock(deps, target, { action: 'delete', accountId, before: presentBlock(block) })
}

const presentBlock = (block: object) => presentAs(contract.SiteBlock, block)

async function getAdvertiser(db: Database, { advertiserId, actor }: BlocksTarget) {
  const row = await getRow(db, advertiser, { publicId: advertiserId, actor })
  if (row.deletedAt) throw new Problem(advertiserProblems.notFound, `advertiser ${advertiserId}`)
  return row as { id: bigint; accountId: bigint }
}

function auditBlock(
  deps: ResourceDeps,
  { actor, advertiserId, siteId }: BlockTarget,
  change: { action: string; accountId: bigint; before?: Values; after?: Values },
): Promise<void> {
  const { action, ...rest } = change
  return deps.audit(deps.db, {
    ...rest,
    actor,
    action: `site-block.${action}`,
    entity: 'site block',
    entityId: `${advertiserId}/${siteId}`,
  })
}
