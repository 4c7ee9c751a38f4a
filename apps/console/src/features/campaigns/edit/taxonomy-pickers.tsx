import { useRead } from '../../../api/hooks.ts'
import type { AdProducts, ContentCategories } from '../../../api/types.ts'
import { ChoicePicker, ChoicePickers } from '../../../ui/forms/search-picker.tsx'

interface Node {
  readonly id: string
  readonly name: string
  readonly parentId: string | null
}

/** Each with the name of what it is part of, so that equal names can be told apart. */
function choicesOf(items: readonly Node[]) {
  const nameOf = new Map(items.map(({ id, name }) => [id, name]))
  return items.map(({ id, name, parentId }) => ({
    value: id,
    label: name,
    note: parentId ? nameOf.get(parentId) : undefined,
  }))
}

const CATEGORIES_MAX = 50

interface CategoryProps {
  readonly values: readonly string[]
  readonly onValues: (values: readonly string[]) => void
  readonly fault?: string | undefined
}

/** Page topics of the IAB Content Taxonomy, found by name. */
export function CategoryPickers(props: CategoryProps) {
  const categories = useRead<ContentCategories>('/admin/content-categories')
  return (
    <ChoicePickers
      {...props}
      label="Only on pages about"
      isOptional
      none="Any page"
      most={CATEGORIES_MAX}
      choices={choicesOf(categories.data?.items ?? [])}
    />
  )
}

interface ProductProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly fault?: string | undefined
}

/** What is advertised, of the IAB Ad Product Taxonomy, found by name. */
export function ProductPicker(props: ProductProps) {
  const products = useRead<AdProducts>('/admin/ad-products')
  return (
    <ChoicePicker
      {...props}
      isOptional
      none="Not said"
      hint="Sites can refuse products. Say it, so that none is surprised."
      choices={choicesOf(products.data?.items ?? [])}
    />
  )
}
