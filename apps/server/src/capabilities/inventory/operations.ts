import { Problem } from '../../platform/problem.ts'
import {
  getRow,
  type Actor,
  type ResourceDeps,
  type Values,
} from '../../platform/resources/index.ts'
import { siteProblems } from './problems.ts'
import { site } from './resources.ts'
import { addBlock, countBlocks, deleteBlock, findBlock, listBlocks } from './store.ts'

/** The taxonomy has about 700 entries, so a longer list is a mistake. */
export const BLOCKS_MAX = 1_000

interface SiteTarget {
  readonly siteId: string
  readonly actor: Actor
}

interface BlockTarget extends SiteTarget {
  readonly category: string
}

export async function listBlockedAdProducts({ db }: ResourceDeps, target: SiteTarget) {
  const { id } = await getLiveSite({ db }, target)
  return listBlocks(db, id, BLOCKS_MAX)
}

/** Blocks an ad product on a site. Blocking it again changes nothing. */
export async function blockAdProduct(deps: ResourceDeps, target: BlockTarget) {
  const { db, clock } = deps
  const row = await getLiveSite(deps, target)
  const key = { siteId: row.id, adProductCategory: target.category }
  const existing = await findBlock(db, key)
  if (existing) return existing
  if ((await countBlocks(db, row.id)) >= BLOCKS_MAX) {
    throw new Problem(siteProblems.blocklistFull, `A site may block ${BLOCKS_MAX} ad products.`)
  }

  const isNew = await addBlock(db, { ...key, createdAt: clock.now() })
  if (isNew) await auditBlock(deps, row, { ...target, action: 'block-ad-product' })
  return (await findBlock(db, key))!
}

export async function unblockAdProduct(deps: ResourceDeps, target: BlockTarget): Promise<void> {
  const row = await getLiveSite(deps, target)
  const isGone = await deleteBlock(deps.db, { siteId: row.id, adProductCategory: target.category })
  if (!isGone) throw new Problem(siteProblems.blockNotFound, target.category)
  await auditBlock(deps, row, { ...target, action: 'unblock-ad-product' })
}

export async function getLiveSite({ db }: Pick<ResourceDeps, 'db'>, { siteId, actor }: SiteTarget) {
  const row = await getRow(db, site, { publicId: siteId, actor })
  if (row.deletedAt) throw new Problem(siteProblems.notFound, `site ${siteId}`)
  return row as typeof site.table.$inferSelect
}

function auditBlock(
  deps: ResourceDeps,
  { accountId, publicId }: Pick<typeof site.table.$inferSelect, 'accountId' | 'publicId'>,
  { actor, action, category }: BlockTarget & { action: string },
): Promise<void> {
  const block: Values = { adProductCategory: category }
  return deps.audit(deps.db, {
    actor,
    accountId,
    action: `site.${action}`,
    entity: 'site',
    entityId: publicId,
    ...(action === 'block-ad-product' ? { after: block } : { before: block }),
  })
}
