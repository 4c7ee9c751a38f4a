import { openAdProducts } from './reference-data.ts'

/** These ad products and all below them. Throws at an id that the taxonomy does not have. */
export function adProductsBelow(ids: readonly string[]): ReadonlySet<string> {
  const { products } = openAdProducts()
  const unknown = ids.filter((id) => !products.categories.has(id))
  if (unknown.length > 0)
    throw new Error(`No ad product of the IAB taxonomy: ${unknown.join(', ')}`)
  return new Set(products.below(new Set(ids)))
}
