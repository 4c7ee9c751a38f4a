import { DAY_MS } from '@placard/calendar'
import type { EnrolDeps } from '../../../server/src/capabilities/accounts/index.ts'
import type { CampaignDeps } from '../../../server/src/capabilities/campaigns/index.ts'
import type { ConnectionDeps } from '../../../server/src/capabilities/channels/index.ts'
import type { AssetDeps } from '../../../server/src/capabilities/creatives/index.ts'
import type { Actor, Values } from '../../../server/src/platform/resources/index.ts'
import type { BannerKey } from './banners.ts'
import type { AdvertiserKey } from './buyers.ts'
import type { AccountKey, UserKey } from './people.ts'
import type { PlacementKey, PublisherKey, SiteKey } from './sellers.ts'

export interface DemoDeps extends CampaignDeps, AssetDeps, EnrolDeps, ConnectionDeps {
  progress(message: string): void
  /** Address of the demo's pages. */
  readonly apiPort?: number
}

/** Public ids of the created rows, by the names in the data. */
type Ids<Key extends string> = Readonly<Record<Key, string>>

export interface People {
  readonly accounts: Ids<AccountKey>
  readonly actors: Readonly<Record<UserKey, Actor>>
}

export interface Inventory {
  readonly publishers: Ids<PublisherKey>
  readonly sites: Ids<SiteKey>
  readonly placements: Ids<PlacementKey>
}

export interface Buyers {
  readonly advertisers: Ids<AdvertiserKey>
  readonly sellpages: Ids<AdvertiserKey>
}

export type Banners = Ids<BannerKey>

/** Ad accounts of advertisers whose onsite campaigns appear in the channel lists. */
export type Connections = Ids<AdvertiserKey>

/** Creates one row per entry, one after the other. Returns their public ids by the same keys. */
export async function makeEach<Key extends string, Item>(
  items: Readonly<Record<Key, Item>>,
  make: (item: Item, key: Key) => Promise<Values>,
): Promise<Record<Key, string>> {
  const made: Partial<Record<Key, string>> = {}
  for (const key of Object.keys(items) as Key[]) {
    made[key] = String((await make(items[key], key)).publicId)
  }
  return made as Record<Key, string>
}

/** The instant a number of days from now. Null stays null. */
export const daysFrom = (now: Date, days: number | null): string | null =>
  days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString()
