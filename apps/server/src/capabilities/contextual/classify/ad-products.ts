import { StartRefused } from '../../../platform/problem.ts'
import { openAdProducts } from './reference-data.ts'

/** What `CHILD_BLOCKED_AD_PRODUCTS` names, and all below it. An id that the taxonomy does not have refuses the start. */
export function adProductsBelow(ids: readonly string[]): ReadonlySet<string> {
  const { products } = openAdProducts()
  const unknown = ids.filter((id) => !products.categories.has(id))
  if (unknown.length > 0) {
    const ids = unknown.join(', ')
    throw new StartRefused(
      `CHILD_BLOCKED_AD_PRODUCTS: no ad product of the IAB taxonomy is ${ids}.`,
    )
  }
  return new Set(products.below(new Set(ids)))
}
