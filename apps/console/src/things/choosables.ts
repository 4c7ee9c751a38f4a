import type { Account, Advertiser, Campaign, Placement, Publisher, Site } from '../api/types.ts'
import type { Choosable } from '../ui/forms/search-picker.tsx'
import { sayWord } from '../ui/format/format.ts'

export const ACCOUNTS: Choosable<Account> = {
  path: '/admin/accounts',
  query: { sort: 'name' },
  choiceOf: ({ id, name, kind }) => ({ value: id, label: name, note: sayWord(kind) }),
}

export const PUBLISHERS: Choosable<Publisher> = {
  path: '/admin/publishers',
  query: { sort: 'name' },
  choiceOf: ({ id, name, currency }) => ({ value: id, label: name, note: currency }),
}

export const ADVERTISERS: Choosable<Advertiser> = {
  path: '/admin/advertisers',
  query: { sort: 'name' },
  choiceOf: ({ id, name, currency }) => ({ value: id, label: name, note: currency }),
}

export const CAMPAIGNS: Choosable<Campaign> = {
  path: '/admin/campaigns',
  query: { sort: 'name' },
  choiceOf: ({ id, name, advertiserName }) => ({ value: id, label: name, note: advertiserName }),
}

export const SITES: Choosable<Site> = {
  path: '/admin/sites',
  query: { sort: 'name' },
  choiceOf: ({ id, name, domain }) => ({ value: id, label: name, note: domain }),
}

export const PLACEMENTS: Choosable<Placement> = {
  path: '/admin/placements',
  query: { sort: 'label' },
  choiceOf: ({ id, label, slug }) => ({ value: id, label, note: slug }),
}

/** Where the first of each is made. */
export const MAKE_AT = {
  publisher: { label: 'First make a publisher', to: '/placements?part=publishers&open=new' },
  site: { label: 'First make a site', to: '/placements?part=sites&open=new' },
  placement: { label: 'First make a placement', to: '/placements?open=new' },
  advertiser: { label: 'First make an advertiser', to: '/advertisers?open=new' },
} as const
