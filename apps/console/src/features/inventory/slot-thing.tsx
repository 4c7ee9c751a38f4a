import { PanelTop } from 'lucide-react'
import type { Slot } from '../../api/types.ts'
import { MAKE_AT, PLACEMENTS, SITES } from '../../things/choosables.ts'
import { choosable, defineThing } from '../../things/thing.ts'

export const slotThing = defineThing<Slot>({
  noun: 'ad slot',
  title: 'Ad slots',
  path: '/admin/slots',
  permission: 'placements',
  icon: PanelTop,
  about:
    'An ad slot puts a placement on a site, with a size. Banners that need approval are then put before that site.',
  nameOf: ({ name }) => name,
  linkOf: ({ placementId }) => `/placements/${placementId}`,
  sort: 'name',
  columns: [
    { name: 'name', label: 'Ad slot', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      name: 'placement',
      label: 'Placement',
      width: '14rem',
      from: 'sm',
      cell: ({ placementSlug }) => <span className="font-mono text-xs">{placementSlug}</span>,
    },
    {
      name: 'site',
      label: 'Site',
      width: '14rem',
      from: 'md',
      cell: ({ siteName }) => siteName,
    },
    {
      name: 'size',
      label: 'Size',
      width: '7rem',
      isNumber: true,
      cell: ({ width, height }) => `${width} × ${height}`,
    },
  ],
  fields: [
    {
      name: 'siteId',
      label: 'Site',
      entry: { as: 'thing', of: choosable(SITES), makeAt: MAKE_AT.site },
      only: 'make',
    },
    {
      name: 'placementId',
      label: 'Placement',
      entry: { as: 'thing', of: choosable(PLACEMENTS), makeAt: MAKE_AT.placement },
      only: 'make',
    },
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Top of the article' } },
    { name: 'width', label: 'Width', entry: { as: 'number' } },
    { name: 'height', label: 'Height', entry: { as: 'number' } },
  ],
  removal: {
    action: 'Archive',
    consequence:
      'The placement no longer shows on that site through this slot. You can restore it.',
  },
})
