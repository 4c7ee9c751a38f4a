import { Briefcase } from 'lucide-react'
import type { Advertiser } from '../../api/types.ts'
import { ACCOUNTS, PUBLISHERS } from '../../things/choosables.ts'
import { ownAccount, ownZone } from '../../things/presets.ts'
import { choosable, defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'
import { Money } from '../../ui/format/amounts.tsx'

export const advertiserThing = defineThing<Advertiser>({
  noun: 'advertiser',
  title: 'Advertisers',
  path: '/admin/advertisers',
  permission: 'advertisers',
  icon: Briefcase,
  about:
    'An advertiser buys: campaigns, banners and budgets belong to it, in one currency and one time zone.',
  nameOf: ({ name }) => name,
  linkOf: ({ id }) => `/campaigns?advertiserId=${id}`,
  sort: 'name',
  columns: [
    {
      name: 'name',
      label: 'Advertiser',
      sortBy: ({ name }) => name,
      cell: ({ name, isHouse }) => (
        <>
          {name} {isHouse && <Badge>House</Badge>}
        </>
      ),
    },
    {
      name: 'contact',
      label: 'Contact',
      width: '13rem',
      from: 'md',
      cell: ({ contact }) => contact ?? '—',
    },
    {
      name: 'spent',
      label: 'Spent today',
      width: '8rem',
      isNumber: true,
      cell: ({ spentTodayMicros, currency }) => (
        <Money micros={spentTodayMicros} currency={currency} />
      ),
    },
    {
      name: 'limit',
      label: 'Daily limit',
      width: '8rem',
      from: 'sm',
      isNumber: true,
      cell: ({ budgetDailyMicros, currency }) =>
        budgetDailyMicros ? <Money micros={budgetDailyMicros} currency={currency} /> : 'None',
    },
  ],
  fields: [
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Northwind Outfitters' } },
    {
      name: 'accountId',
      label: 'Account',
      hint: 'Whose people manage it. Choose another account for an advertiser that signs in for itself.',
      entry: { as: 'thing', of: choosable(ACCOUNTS) },
      only: 'make',
      needs: 'accounts:read',
      preset: ownAccount,
    },
    {
      name: 'currency',
      label: 'Currency',
      hint: 'Budgets and bids are in it. It cannot be changed later.',
      entry: { as: 'currency' },
      only: 'make',
      preset: () => 'EUR',
    },
    {
      name: 'timeZone',
      label: 'Time zone',
      hint: 'Its budget days begin and end there.',
      entry: { as: 'zone' },
      preset: ownZone,
    },
    {
      name: 'contact',
      label: 'Contact',
      entry: { as: 'text', example: 'ads@northwind.example' },
      isOptional: true,
    },
    {
      name: 'domain',
      label: 'Domain',
      hint: 'Under which domain exchanges know the advertiser. Empty: the host of each landing page.',
      entry: { as: 'text', example: 'northwind.example' },
      isOptional: true,
      isSellers: true,
    },
    {
      name: 'budgetDailyMicros',
      label: 'Daily limit',
      hint: 'All its campaigns together never spend more on one day.',
      entry: { as: 'money' },
      isOptional: true,
    },
    {
      name: 'conversionValueMaxMicros',
      label: 'Largest conversion',
      hint: 'A conversion that is worth more is set aside and told to you.',
      entry: { as: 'money' },
      isOptional: true,
    },
    {
      name: 'isHouse',
      label: 'House ads',
      hint: 'The seller’s own ads: they may be free, and fill slots that no campaign wins.',
      entry: { as: 'switch' },
      only: 'make',
      isSellers: true,
    },
    {
      name: 'housePublisherId',
      label: 'House ads of publisher',
      hint: 'Empty: of the whole platform.',
      entry: { as: 'thing', of: choosable(PUBLISHERS) },
      only: 'make',
      isOptional: true,
      isSellers: true,
      when: ({ isHouse }) => isHouse === true,
    },
  ],
  removal: {
    action: 'Archive',
    consequence: 'Nothing new can be booked for it. First end its campaigns. You can restore it.',
  },
  touches: ['/admin/campaigns', '/admin/first-steps'],
})
