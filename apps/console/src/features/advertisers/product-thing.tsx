import type { Reference } from '@placard/contract/creatives'
import { Package } from 'lucide-react'
import type { Static } from 'typebox'
import { defineThing } from '../../things/thing.ts'

export const productThing = defineThing<Static<typeof Reference>>({
  noun: 'product',
  title: 'Products',
  path: '/admin/products',
  permission: 'references',
  icon: Package,
  about:
    'A product is what a banner shows, by the number that your shop gives it. Reports can be read by product.',
  nameOf: ({ name }) => name,
  sort: 'name',
  columns: [
    { name: 'name', label: 'Product', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      name: 'externalId',
      label: 'Number in your shop',
      width: '14rem',
      from: 'sm',
      cell: ({ externalId }) => <span className="font-mono text-xs">{externalId ?? '—'}</span>,
    },
  ],
  fields: [
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Garden chair' } },
    {
      name: 'externalId',
      label: 'Number in your shop',
      entry: { as: 'text', example: 'sku-1001' },
      isOptional: true,
    },
  ],
  removal: {
    action: 'Delete',
    consequence: 'Banners lose it. This cannot be undone.',
  },
})
