import type { Person } from './world.ts'

export interface PageToSee {
  readonly path: string
  readonly heading: string | RegExp
  readonly people: readonly Person[]
}

/** Every page, and somebody of each role that may see it. */
export const PAGES_TO_SEE: readonly PageToSee[] = [
  {
    path: '/',
    heading: /^Hello/,
    people: ['operator', 'adops', 'trust', 'publisher', 'advertiser'],
  },
  { path: '/campaigns', heading: 'Campaigns', people: ['adops', 'advertiser'] },
  { path: '/campaigns/new', heading: 'New campaign', people: ['adops', 'advertiser'] },
  { path: '/why', heading: 'Why?', people: ['adops'] },
]
