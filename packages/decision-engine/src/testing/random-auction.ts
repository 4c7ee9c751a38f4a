import { learnedBid } from './random-learned.ts'
import type { Ad, Banner, Campaign, Change, Placement } from '../changes/records.ts'
import type { RandomWorld } from './random-world.ts'

/** An auction that nearly every ad enters, with equal or close bids. */
export function denseAuction(world: RandomWorld): Change[] {
  const hasTies = world.random(0.5)
  const isLearned = world.random(0.5)
  const keys = Array.from({ length: world.size }, (_, at) => at + 1)
  return [
    ...PLACEMENTS.map((key): Change => ({ put: 'placement', record: openPlacement(world, key) })),
    ...keys.flatMap((key): Change[] => [
      { put: 'campaign', record: openCampaign(world, key) },
      { put: 'banner', record: openBanner(world, key) },
      ...PLACEMENTS.filter((placementKey) => placementKey === 1 || world.random(0.5)).map(
        (placementKey): Change => ({
          put: 'campaign-placement',
          record: { campaignKey: key, placementKey, active: true },
        }),
      ),
      { put: 'ad', record: closeAd(world, key, { hasTies, isLearned }) },
      { put: 'ad', record: closeAd(world, key + world.size, { hasTies, isLearned }) },
    ]),
    ...keys.filter(() => world.random(0.3)).map((key) => learnedBid(world, key)),
    ...keys
      .filter(() => world.random(0.2))
      .map((key): Change => ({ put: 'rule', record: world.rule(key) })),
  ]
}

/** Of one publisher and type. */
const PLACEMENTS = [1, 2, 3]

const openPlacement = (world: RandomWorld, key: number): Placement => ({
  ...world.placement(key),
  type: 'feed',
  publisherKey: 1,
  mode: 'auction',
  active: true,
  siteKey: undefined,
  currency: undefined,
  sizes: undefined,
  formats: undefined,
})

const openCampaign = (world: RandomWorld, key: number): Campaign => ({
  ...world.campaign(key),
  status: 'active',
  startsAtMs: undefined,
  endsAtMs: undefined,
  categories: undefined,
  runsOnUnknownPages: undefined,
  adProductCategory: undefined,
  bidMultiplier: 1,
  impressionCapReached: false,
  clickCapReached: false,
})

const openBanner = (world: RandomWorld, key: number): Banner => ({
  ...world.banner(key),
  active: true,
  scheduleStatus: 'evergreen',
  recurrenceRule: undefined,
  windowStart: undefined,
  windowEnd: undefined,
})

function closeAd(
  world: RandomWorld,
  key: number,
  { hasTies, isLearned }: { hasTies: boolean; isLearned: boolean },
): Ad {
  const campaignKey = world.key()
  return {
    key,
    campaignKey,
    bannerKey: world.key(),
    active: true,
    bidMicros: hasTies ? 1_000_000 : 1_000_000 + world.int(400_000),
    ctrOdds: isLearned ? 0.3 + world.int(40) / 10 : undefined,
    quality: hasTies ? 1 : undefined,
  }
}
