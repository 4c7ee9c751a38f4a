import type { Sellpage as SellpageSchema } from '@placard/contract/campaigns'
import { Store } from 'lucide-react'
import type { Static } from 'typebox'
import { ADVERTISERS, MAKE_AT } from '../../things/choosables.ts'
import { choosable, defineThing } from '../../things/thing.ts'

export const sellpageThing = defineThing<Static<typeof SellpageSchema>>({
  noun: 'sellpage',
  title: 'Sellpages',
  path: '/admin/sellpages',
  permission: 'campaigns',
  icon: Store,
  about:
    'A sellpage is the page where an advertiser sells. Campaigns name it, and results of all channels are added up for it.',
  nameOf: ({ name }) => name,
  sort: 'name',
  columns: [
    { name: 'name', label: 'Sellpage', sortBy: ({ name }) => name, cell: ({ name }) => name },
    { name: 'url', label: 'Address', from: 'sm', cell: ({ url }) => url },
  ],
  fields: [
    {
      name: 'advertiserId',
      label: 'Advertiser',
      entry: { as: 'thing', of: choosable(ADVERTISERS), makeAt: MAKE_AT.advertiser },
      only: 'make',
    },
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Autumn sale' } },
    {
      name: 'url',
      label: 'Address',
      entry: { as: 'text', type: 'url', example: 'https://shop.example/autumn' },
    },
  ],
  removal: {
    action: 'Archive',
    consequence: 'Campaigns can no longer choose it. Its results stay. You can restore it.',
  },
})
