import type { Database } from '../../../platform/database/connect.ts'
import { listWanted } from '../auction/reads-bids.ts'
import type { ContentOfAdProduct, Taxonomy } from '../classify/taxonomy.ts'

export interface WantedDeps {
  readonly db: Database
  readonly taxonomy: Taxonomy
  readonly contentOf: ContentOfAdProduct
}

/**
 * Categories that active campaigns name, and all below them. Without any, every tier-1 category.
 */
export async function listWantedContent({ db, taxonomy, contentOf }: WantedDeps) {
  const wanted = new Set<string>()
  for (const { categories, adProduct } of await listWanted(db)) {
    for (const id of categories) wanted.add(id)
    const derived = adProduct === null ? undefined : contentOf(adProduct)
    if (derived !== undefined) wanted.add(derived)
  }
  const all = [...taxonomy.categories.keys()]
  if (wanted.size === 0) return all.filter((id) => taxonomy.rootOf(id) === id)
  return all.filter((id) => taxonomy.lineOf(id).some((parent) => wanted.has(parent)))
}
