import { LRUCache } from 'lru-cache'
import { openAdProducts, openContentTaxonomy, readAdProductContent } from './reference-data.ts'

/** Numbers of the IAB's taxonomies in OpenRTB. */
const CONTENT_1 = 1
const CONTENT_2_TO_3: ReadonlySet<number> = new Set([2, 5, 6, 7, 9])
const AD_PRODUCT: ReadonlySet<number> = new Set([3, 8])

/** The ad products that categories of a taxonomy stand for, with all below them. */
export type ProductsOfCategories = (
  categories: readonly string[],
  taxonomy: number,
) => ReadonlySet<string>

/** A publisher sends the same list with every request. */
const LISTS_KEPT = 200

export function createProductsOfCategories(): ProductsOfCategories {
  const byCategory = { old: productsByOldContent(), content: productsByContent() }
  const { products } = openAdProducts()
  const find: ProductsOfCategories = (categories, taxonomy) => {
    if (AD_PRODUCT.has(taxonomy)) return new Set(products.below(new Set(categories)))
    const index = taxonomy === CONTENT_1 ? byCategory.old : byCategory.content
    if (taxonomy !== CONTENT_1 && !CONTENT_2_TO_3.has(taxonomy)) return new Set()
    return new Set(categories.flatMap((category) => [...(index.get(category) ?? [])]))
  }
  const kept = new LRUCache<string, ReadonlySet<string>>({ max: LISTS_KEPT })
  return (categories, taxonomy) => {
    const name = `${taxonomy} ${categories.join(' ')}`
    const found = kept.get(name) ?? find(categories, taxonomy)
    kept.set(name, found)
    return found
  }
}

/** `IAB7-39` also belongs to `IAB7`. */
function productsByOldContent(): ReadonlyMap<string, Set<string>> {
  const { products } = openAdProducts()
  const contentOf = readAdProductContent()
  const found = new Map<string, Set<string>>()
  for (const id of products.categories.keys()) {
    const content = products.lineOf(id).flatMap((one) => contentOf.get(one) ?? [])[0]
    if (content === undefined) continue
    for (const category of [content, content.split('-')[0]!]) add(found, category, id)
  }
  return found
}

/** By Content Taxonomy 3.1, whose ids continue those of 2.x and 3.0. */
function productsByContent(): ReadonlyMap<string, Set<string>> {
  const { products, contentOf } = openAdProducts()
  const taxonomy = openContentTaxonomy()
  const found = new Map<string, Set<string>>()
  for (const id of products.categories.keys()) {
    const content = contentOf(id)
    if (content === undefined) continue
    for (const category of taxonomy.lineOf(content)) add(found, category, id)
  }
  return found
}

function add(sets: Map<string, Set<string>>, name: string, member: string): void {
  const set = sets.get(name)
  if (set === undefined) sets.set(name, new Set([member]))
  else set.add(member)
}
