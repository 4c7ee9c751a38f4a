import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { openAdProducts, openContentTaxonomy } from './reference-data.ts'
import { buildTaxonomy } from './taxonomy.ts'

const content = openContentTaxonomy()
const category = (id: string, parentId?: string) => ({
  id,
  parentId,
  name: id,
  isSensitive: false,
})

describe('a taxonomy', () => {
  test('the line of a category is itself, then its parents', () => {
    expect(content.lineOf('220')).toEqual(['220', '210'])
    expect(content.rootOf('220')).toBe('210')
    expect(content.lineOf('nothing')).toEqual([])
  })

  test('category ids are text, because some are not numbers', () => {
    expect(content.categories.get('80DV8O')?.name).toBe('Communication')
    expect(content.categories.size).toBe(704)
  })

  test('a category that is its own parent, or in a loop of two, ends its line', () => {
    const taxonomy = buildTaxonomy([category('1', '1'), category('2', '3'), category('3', '2')])

    expect(taxonomy.lineOf('1')).toEqual(['1'])
    expect(taxonomy.lineOf('2')).toEqual(['2', '3'])
  })
})

describe('ad products', () => {
  const { products, contentOf } = openAdProducts()

  test('every ad product maps to a category of the content taxonomy', () => {
    const lost = [...products.categories.keys()].filter(
      (id) => !content.categories.has(contentOf(id) ?? ''),
    )
    expect(lost).toEqual([])
    expect(products.categories.size).toBe(583)
  })

  test('blocks use the same parents as the taxonomy', async () => {
    const { pool } = await freshDatabase()
    const { rows } = await pool.query<{ ancestor: string; product: string }>(
      'select ancestor, ad_product as product from ad_product_lines',
    )
    const known = rows.map(({ ancestor, product }) => `${product} below ${ancestor}`)
    const published = [...products.categories.keys()].flatMap((product) =>
      products
        .lineOf(product)
        .slice(1)
        .map((ancestor) => `${product} below ${ancestor}`),
    )
    expect(known.toSorted()).toEqual(published.toSorted())
  })

  test('an unknown ad product maps to nothing', () => {
    expect(contentOf('no such product')).toBeUndefined()
  })

  test.each([
    ['1004', 'Alcoholic Beverages'],
    ['1000', 'Sensitive Topics'],
  ])('%s is about %s', (product, name) => {
    expect(content.categories.get(contentOf(product)!)?.name).toBe(name)
  })
})

test('below a category is the category itself and all its descendants', () => {
  const below = content.below(new Set(['210']))

  expect(below).toContain('210')
  expect(below).toContain('222')
  expect(below).not.toContain('483')
})
