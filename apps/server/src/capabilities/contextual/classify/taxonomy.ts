/** One category of a taxonomy. Ids are text, because some are not numbers. */
export interface Category {
  readonly id: string
  readonly parentId: string | undefined
  readonly name: string
  readonly isSensitive: boolean
}

export interface Taxonomy {
  readonly categories: ReadonlyMap<string, Category>
  /** The category itself, then its parents up to tier 1. */
  lineOf(id: string): readonly string[]
  rootOf(id: string): string
  /** These categories and all their descendants. */
  below(ids: ReadonlySet<string>): readonly string[]
}

/** The category that somebody means who writes its name, or the beginning of it, in place of an id. */
export function nearestCategory({ categories }: Taxonomy, text: string): Category | undefined {
  const words = spelt(text)
  if (words.length < NAME_MIN) return undefined
  const named = [...categories.values()].map((category) => ({
    category,
    name: spelt(category.name),
  }))
  const found =
    named.find(({ name }) => name === words) ??
    named.find(({ name }) => name.startsWith(words) || words.startsWith(`${name} `))
  return found?.category
}

const NAME_MIN = 3
const spelt = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Deeper than any published taxonomy: a longer line is a loop. */
const TIERS_MAX = 10

export function buildTaxonomy(rows: readonly Category[]): Taxonomy {
  const categories = new Map(rows.map((row) => [row.id, row]))
  const lines = new Map(rows.map(({ id }) => [id, climb(categories, id)]))
  const lineOf = (id: string) => lines.get(id) ?? []
  return {
    categories,
    lineOf,
    rootOf: (id) => lineOf(id).at(-1) ?? id,
    below: (ids) =>
      [...lines].flatMap(([id, line]) => (line.some((one) => ids.has(one)) ? id : [])),
  }
}

/** Some published rows are their own parent, so each id is visited once. */
function climb(categories: ReadonlyMap<string, Category>, id: string): readonly string[] {
  const line: string[] = []
  let at: string | undefined = id
  while (at !== undefined && line.length < TIERS_MAX) {
    const category = categories.get(at)
    if (category === undefined || line.includes(at)) break
    line.push(at)
    at = category.parentId
  }
  return line
}

/** Rows of tab-separated text. Lines with `#` name the source. */
export const readRows = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'))

export const readCategories = (text: string): readonly Category[] =>
  readRows(text).map(([id, parentId, name, sensitive]) => ({
    id: id!,
    parentId: parentId || undefined,
    name: name!,
    isSensitive: sensitive === 'SCD',
  }))

/** The content category that an ad product is about. */
export type ContentOfAdProduct = (adProduct: string) => string | undefined

interface MappingTexts {
  /** Ad product, parent, name, Content 1.0. */
  readonly adProducts: string
  /** Content 1.0, Content 3.1. */
  readonly contentIds: string
}

/**
 * Uses the published mapping to Content 1.0, and ours from there to 3.1. A product without a row
 * takes its parent's.
 */
export function buildContentOfAdProduct({ adProducts, contentIds }: MappingTexts) {
  const products = buildTaxonomy(readCategories(adProducts))
  const oldIds = new Map(readRows(adProducts).map(([id, , , old]) => [id!, old]))
  const newIds = new Map(readRows(contentIds).map(([old, id]) => [old, id!]))
  const contentOf: ContentOfAdProduct = (adProduct) => {
    for (const id of products.lineOf(adProduct)) {
      const content = newIds.get(oldIds.get(id))
      if (content !== undefined) return content
    }
    return undefined
  }
  return { products, contentOf }
}
