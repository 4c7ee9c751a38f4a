import { Building2 } from 'lucide-react'
import type { Account } from '../../api/types.ts'
import { defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'
import { sayWord } from '../../ui/format/format.ts'

const KINDS = [
  { value: 'advertiser', label: 'Advertiser: its people run their own campaigns' },
  { value: 'publisher', label: 'Publisher: its people manage their own sites' },
  { value: 'platform', label: 'Platform: operators, ad operations, trust' },
]

export const accountThing = defineThing<Account>({
  noun: 'account',
  title: 'Accounts',
  path: '/admin/accounts',
  permission: 'accounts',
  icon: Building2,
  about:
    'An account is an organisation whose people sign in. They see what belongs to it, and nothing else.',
  nameOf: ({ name }) => name,
  sort: 'name',
  columns: [
    { name: 'name', label: 'Account', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      name: 'kind',
      label: 'Kind',
      width: '9rem',
      from: 'sm',
      cell: ({ kind }) => <Badge>{sayWord(kind)}</Badge>,
    },
    {
      name: 'two-step',
      label: 'Two-step sign-in',
      width: '9rem',
      cell: ({ requiresFactor }) =>
        requiresFactor ? (
          <Badge tone="good">Required</Badge>
        ) : (
          <span className="text-ink-faint">Not required</span>
        ),
    },
  ],
  fields: [
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Harbour Media' } },
    {
      name: 'kind',
      label: 'Kind',
      entry: { as: 'choice', options: KINDS },
      only: 'make',
      preset: () => 'advertiser',
    },
    {
      name: 'requiresFactor',
      label: 'Require two-step sign-in',
      hint: 'Whoever has not set it up does so before anything else.',
      entry: { as: 'switch' },
    },
  ],
  removal: {
    action: 'Archive',
    consequence: 'It stays in the history. First deactivate its users. You can restore it.',
  },
  touches: ['/admin/users', '/admin/first-steps', '/me'],
})
