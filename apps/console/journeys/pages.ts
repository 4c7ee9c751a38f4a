import type { Person } from './world.ts'

export interface PageToSee {
  readonly path: string
  readonly heading: string | RegExp
  readonly people: readonly Person[]
}

/** Every page, with a user of each role that may see it. */
export const PAGES_TO_SEE: readonly PageToSee[] = [
  {
    path: '/',
    heading: /^Hello/,
    people: ['operator', 'adops', 'trust', 'publisher', 'advertiser'],
  },
  { path: '/campaigns', heading: 'Campaigns', people: ['adops'] },
  { path: '/campaigns/new', heading: 'New campaign', people: ['advertiser'] },
  { path: '/advertisers', heading: 'Advertisers', people: ['adops', 'advertiser'] },
  { path: '/advertisers?part=sellpages', heading: 'Advertisers', people: ['advertiser'] },
  { path: '/advertisers?part=products', heading: 'Advertisers', people: ['adops'] },
  { path: '/advertisers?part=connections', heading: 'Advertisers', people: ['advertiser'] },
  { path: '/change-sets', heading: 'Change sets', people: ['adops', 'advertiser'] },
  { path: '/creatives', heading: 'Creatives', people: ['advertiser'] },
  { path: '/creatives/new', heading: 'New banner', people: ['advertiser'] },
  { path: '/placements', heading: 'Placements and sites', people: ['publisher'] },
  { path: '/placements?part=sites', heading: 'Placements and sites', people: ['publisher'] },
  {
    path: '/placements?part=publishers',
    heading: 'Placements and sites',
    people: ['operator'],
  },
  { path: '/placements?part=slots', heading: 'Placements and sites', people: ['adops'] },
  { path: '/approvals', heading: 'Approvals', people: ['publisher'] },
  { path: '/budgets', heading: 'Budgets', people: ['advertiser'] },
  { path: '/caps', heading: 'Frequency caps', people: ['adops'] },
  { path: '/reports?by=day,device', heading: 'Reports', people: ['adops', 'publisher'] },
  {
    path: '/reports?by=campaign,channel&channels=all&days=utc',
    heading: 'Reports',
    people: ['advertiser'],
  },
  { path: '/auctions', heading: 'Auctions', people: ['adops'] },
  { path: '/trust', heading: 'Trust', people: ['trust'] },
  { path: '/trust?tab=sessions', heading: 'Trust', people: ['trust'] },
  { path: '/operations', heading: 'Operations', people: ['operator'] },
  { path: '/operations?tab=nodes', heading: 'Operations', people: ['operator'] },
  { path: '/operations?tab=settings', heading: 'Operations', people: ['operator'] },
  { path: '/operations?tab=queues', heading: 'Operations', people: ['operator'] },
  { path: '/operations?tab=switches', heading: 'Operations', people: ['operator'] },
  { path: '/operations?tab=webhooks', heading: 'Operations', people: ['operator'] },
  { path: '/operations?tab=keys', heading: 'Operations', people: ['publisher'] },
  { path: '/account?tab=users', heading: 'Account', people: ['operator'] },
  { path: '/account?tab=recipients', heading: 'Account', people: ['advertiser'] },
  { path: '/account?tab=password', heading: 'Account', people: ['advertiser'] },
  { path: '/account?tab=two-step', heading: 'Account', people: ['advertiser'] },
  { path: '/account?tab=accounts', heading: 'Account', people: ['operator'] },
  { path: '/why?placement=category-grid&country=DE', heading: 'Why?', people: ['adops'] },
]

export interface ThingToSee {
  /** The list to start from, and the link to follow. */
  readonly list: string
  readonly link: string | RegExp
  readonly tabs: readonly string[]
  readonly person: Person
}

/** Pages of one thing, reached from a list, tab by tab. */
export const THINGS_TO_SEE: readonly ThingToSee[] = [
  {
    list: '/campaigns?search=trails',
    link: /Autumn trails/,
    tabs: ['Overview', 'Ads', 'Audience', 'Placements', 'Budget and limits', 'Bidding', 'History'],
    person: 'adops',
  },
  {
    list: '/creatives?search=northwind',
    link: /Boots for real winters/,
    tabs: ['Content', 'Schedule', 'Approvals'],
    person: 'advertiser',
  },
  { list: '/budgets', link: /Autumn trails/, tabs: [], person: 'adops' },
  { list: '/trust?tab=people', link: /Paul Meridian/, tabs: [], person: 'trust' },
  { list: '/placements', link: /Category page/, tabs: [], person: 'publisher' },
  {
    list: '/placements?part=sites',
    link: /shop\.meridian\.example/,
    tabs: [],
    person: 'publisher',
  },
]
