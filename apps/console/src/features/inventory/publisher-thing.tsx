import { Building2 } from 'lucide-react'
import type { Publisher } from '../../api/types.ts'
import { ACCOUNTS } from '../../things/choosables.ts'
import { ownAccount, ownZone } from '../../things/presets.ts'
import { choosable, defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'

/** Publishers, and whose placements a request without a placement uses. */
export const publisherThing = defineThing<Publisher>({
  noun: 'publisher',
  title: 'Publishers',
  path: '/admin/publishers',
  permission: 'sites',
  icon: Building2,
  about:
    'A publisher sells space for ads on its sites, in one currency. Make one first; sites and placements belong to it.',
  nameOf: ({ name }) => name,
  sort: 'name',
  columns: [
    {
      name: 'name',
      label: 'Publisher',
      sortBy: ({ name }) => name,
      cell: ({ name, isDefault }) => (
        <>
          {name} {isDefault && <Badge tone="good">Default</Badge>}
        </>
      ),
    },
    { name: 'currency', label: 'Currency', width: '6rem', cell: ({ currency }) => currency },
    {
      name: 'zone',
      label: 'Time zone',
      width: '12rem',
      from: 'sm',
      cell: ({ timeZone }) => timeZone,
    },
    {
      name: 'domain',
      label: 'Business domain',
      width: '14rem',
      from: 'md',
      cell: ({ domain }) => domain ?? '—',
    },
  ],
  fields: [
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Harbour Media' } },
    {
      name: 'accountId',
      label: 'Account',
      hint: 'Whose people manage it. Choose another account for a publisher that signs in for itself.',
      entry: { as: 'thing', of: choosable(ACCOUNTS) },
      only: 'make',
      needs: 'accounts:read',
      preset: ownAccount,
    },
    {
      name: 'currency',
      label: 'Currency',
      hint: 'Floor prices and revenue are in it. It cannot be changed later.',
      entry: { as: 'currency' },
      only: 'make',
      preset: () => 'EUR',
    },
    {
      name: 'timeZone',
      label: 'Time zone',
      hint: 'Its days begin and end there.',
      entry: { as: 'zone' },
      preset: ownZone,
    },
    {
      name: 'domain',
      label: 'Business domain',
      hint: 'Told to buyers in ads.txt and sellers.json.',
      entry: { as: 'text', example: 'publisher.example' },
      isOptional: true,
    },
    {
      name: 'isConfidential',
      label: 'Confidential',
      hint: 'Leave name and domain out of sellers.json.',
      entry: { as: 'switch' },
    },
    {
      name: 'isDefault',
      label: 'Default publisher',
      hint: 'Ad requests that name only a placement type are answered with its placements. To change that, make another publisher the default.',
      entry: { as: 'switch' },
      only: 'change',
      isSellers: true,
    },
  ],
  removal: {
    action: 'Archive',
    consequence: 'It sells nothing any more. First archive its sites and placements.',
  },
  touches: ['/admin/placements', '/admin/sites', '/admin/first-steps'],
})
