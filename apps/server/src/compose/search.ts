import { account, user } from '../capabilities/accounts/index.ts'
import { advertiser, campaign } from '../capabilities/campaigns/index.ts'
import { banner } from '../capabilities/creatives/index.ts'
import { placement, publisher, site } from '../capabilities/inventory/index.ts'
import type { Searchable } from '../capabilities/search/index.ts'

/** What people look for, in the order of the answer. */
export const SEARCHABLES: readonly Searchable[] = [
  { kind: 'campaign', resource: campaign, name: 'name', note: 'advertiserName' },
  { kind: 'advertiser', resource: advertiser, name: 'name', note: 'currency' },
  { kind: 'banner', resource: banner, name: 'title', note: 'advertiserName' },
  { kind: 'placement', resource: placement, name: 'label', note: 'slug' },
  { kind: 'site', resource: site, name: 'name', note: 'domain' },
  { kind: 'publisher', resource: publisher, name: 'name', note: 'currency' },
  { kind: 'account', resource: account, name: 'name', note: 'kind' },
  { kind: 'user', resource: user, name: 'displayName', note: 'email' },
]
