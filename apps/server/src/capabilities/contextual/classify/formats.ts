import { type Formats, quote } from '../../../platform/http/format.ts'
import { openAdProducts, openContentTaxonomy, readOldContentIds } from './reference-data.ts'
import { nearestCategory, type Taxonomy } from './taxonomy.ts'

/** Ids that requests may name: those of the taxonomies, and no other. */
export function taxonomyFormats(): Formats {
  return {
    'content-category': idsOf(openContentTaxonomy(), {
      name: 'the IAB Content Taxonomy 3.1',
      list: 'GET /api/v1/admin/content-categories',
      former: readOldContentIds(),
    }),
    'ad-product': idsOf(openAdProducts().products, {
      name: 'the IAB Ad Product Taxonomy 2.0',
      list: 'GET /api/v1/admin/ad-products',
      former: new Map(),
    }),
  }
}

interface Described {
  readonly name: string
  /** The route that lists all ids. */
  readonly list: string
  /** Ids of an older taxonomy. */
  readonly former: ReadonlyMap<string, string>
}

const idsOf = (taxonomy: Taxonomy, { name, list, former }: Described) => ({
  holds: (text: string) => taxonomy.categories.has(text),
  faultOf(text: string) {
    const nearest =
      taxonomy.categories.get(former.get(text) ?? '') ?? nearestCategory(taxonomy, text)
    const hint =
      nearest === undefined ? `${list} lists them` : `${nearest.name} is ${quote(nearest.id)}`
    return `${quote(text)} is no id of ${name}: ${hint}`
  },
})
