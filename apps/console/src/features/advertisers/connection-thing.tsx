import { Cable } from 'lucide-react'
import type { Connection } from '../../api/types.ts'
import { ADVERTISERS, MAKE_AT } from '../../things/choosables.ts'
import { choosable, defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { ConnectionState } from '../operations/syncs.tsx'

const TYPES = [
  { value: 'AD_ACCOUNT', label: 'Ad account' },
  { value: 'PAGE', label: 'Page' },
  { value: 'PIXEL', label: 'Pixel' },
  { value: 'CONVERSION', label: 'Conversions' },
] as const

const PROVIDERS = [
  { value: 'meta', label: 'Meta' },
  { value: 'onsite', label: 'Own sites' },
  { value: 'mock', label: 'Made-up figures, for trying it out' },
] as const

export const connectionThing = defineThing<Connection>({
  noun: 'connection',
  title: 'Connections',
  path: '/admin/connections',
  permission: 'channels',
  icon: Cable,
  about:
    'A connection is an advertiser’s account on another channel. Placard reads its figures and shows them beside those of your own sites.',
  nameOf: ({ name }) => name,
  sort: 'name',
  columns: [
    { name: 'name', label: 'Connection', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      name: 'provider',
      label: 'Channel',
      width: '8rem',
      from: 'sm',
      cell: ({ provider }) => sayWord(provider),
    },
    {
      name: 'type',
      label: 'Kind',
      width: '8rem',
      from: 'md',
      cell: ({ connectionType }) => TYPES.find(({ value }) => value === connectionType)?.label,
    },
    {
      name: 'credentials',
      label: 'Access token',
      width: '8rem',
      from: 'md',
      cell: ({ hasCredentials }) =>
        hasCredentials ? 'Stored' : <Badge tone="warn">Missing</Badge>,
    },
    {
      name: 'state',
      label: 'Status',
      width: '11rem',
      cell: (connection) => <ConnectionState of={connection} />,
    },
  ],
  fields: [
    {
      name: 'advertiserId',
      label: 'Advertiser',
      entry: { as: 'thing', of: choosable(ADVERTISERS), makeAt: MAKE_AT.advertiser },
      only: 'make',
    },
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Northwind on Meta' } },
    {
      name: 'provider',
      label: 'Channel',
      entry: { as: 'choice', options: PROVIDERS },
      only: 'make',
      preset: () => 'meta',
    },
    {
      name: 'connectionType',
      label: 'Kind',
      entry: { as: 'choice', options: TYPES },
      only: 'make',
      preset: () => 'AD_ACCOUNT',
    },
    {
      name: 'externalId',
      label: 'Id on the channel',
      hint: 'The id of the ad account on the other platform.',
      entry: { as: 'text', example: 'act_1234' },
      isOptional: true,
    },
    {
      name: 'credentials',
      label: 'Access token',
      hint: 'Stored encrypted and never shown again. Leave it empty to keep the one that is stored.',
      entry: { as: 'text', type: 'password' },
      isOptional: true,
    },
    {
      name: 'isActive',
      label: 'Active',
      hint: 'When off, nothing is fetched.',
      entry: { as: 'switch' },
      preset: () => true,
    },
  ],
  removal: {
    action: 'Archive',
    consequence: 'Nothing more is fetched. The figures so far stay. You can restore it.',
  },
  touches: ['/ads-manager'],
})
