import {
  ad,
  adSet,
  assignBanner,
  campaign,
  bookPlacement,
  moveCampaign,
  targetingRule,
} from '../../../server/src/capabilities/campaigns/index.ts'
import { frequencyCap } from '../../../server/src/capabilities/frequency/index.ts'
import { createRow, patchRow, type Actor } from '../../../server/src/platform/resources/index.ts'
import { ADVERTISERS, type DemoAdvertiser } from './buyers.ts'
import type { Booking, DemoCampaign } from './campaign-data.ts'
import { ABROAD_CAMPAIGNS } from './campaigns-abroad.ts'
import { MARKET_CAMPAIGNS } from './campaigns-market.ts'
import { OPEN_CAMPAIGNS } from './campaigns-open.ts'
import type { BannerKey } from './banners.ts'
import type { PlacementKey } from './sellers.ts'
import {
  daysFrom,
  type Banners,
  type Buyers,
  type Connections,
  type DemoDeps,
  type Inventory,
} from './world.ts'

export interface Desk {
  readonly actor: Actor
  readonly inventory: Inventory
  readonly buyers: Buyers
  readonly banners: Banners
  readonly connections?: Partial<Connections>
}

/** Books everything as ad operations, in the order of the API: draft, contents, then status. */
export async function addCampaigns(deps: DemoDeps, desk: Desk): Promise<void> {
  for (const draft of [...OPEN_CAMPAIGNS, ...MARKET_CAMPAIGNS, ...ABROAD_CAMPAIGNS]) {
    const campaignId = await addCampaign(deps, desk, draft)
    const work = { campaignId, draft }
    await addAds(deps, desk, work)
    await addPlaces(deps, desk, work)
    await addRules(deps, desk, work)
    await liveThrough(deps, desk, work)
  }
  await createRow(deps, frequencyCap, {
    body: {
      advertiserId: desk.buyers.advertisers.tidewater,
      maxImpressionsPerUser: 20,
      window: 'Week',
    },
    actor: desk.actor,
  })
}

async function addCampaign(deps: DemoDeps, desk: Desk, draft: DemoCampaign): Promise<string> {
  const buyer: DemoAdvertiser = ADVERTISERS[draft.advertiser]
  const [start = null, end = null] = draft.days ?? []
  const body = {
    advertiserId: desk.buyers.advertisers[draft.advertiser],
    sellpageId: desk.buyers.sellpages[draft.advertiser],
    connectionId: desk.connections?.[draft.advertiser] ?? null,
    name: draft.name,
    description: draft.description ?? null,
    source: draft.source ?? 'sponsored',
    objective: draft.objective ?? 'awareness',
    pricing: draft.pricing ?? 'cpm',
    pacingStrategy: draft.pacingStrategy ?? 'Smooth',
    maxBidMicros: String(draft.maxBidMicros ?? 0n),
    targetCpaMicros: draft.targetCpaMicros ? String(draft.targetCpaMicros) : null,
    budgetDailyMicros: draft.budgetDailyMicros ? String(draft.budgetDailyMicros) : null,
    budgetTotalMicros: draft.budgetTotalMicros ? String(draft.budgetTotalMicros) : null,
    impressionCap: draft.impressionCap ?? null,
    clickCap: draft.clickCap ?? null,
    priority: draft.priority ?? 0,
    contractRef: draft.contractRef ?? null,
    categories: draft.onRelevantPages ? [...buyer.contents] : [],
    runsOnUnknownPages: draft.onUnknownPages ?? false,
    adProductCategory: buyer.adProduct,
    startsAt: daysFrom(deps.clock.now(), start),
    // A campaign with a past end cannot start, so its end is set after it has ended.
    endsAt: draft.state === 'ended' ? null : daysFrom(deps.clock.now(), end),
  }
  const record = await createRow(deps, campaign, { body, actor: desk.actor })
  return String(record.publicId)
}

interface Work {
  readonly campaignId: string
  readonly draft: DemoCampaign
}

async function addAds(deps: DemoDeps, desk: Desk, { campaignId, draft }: Work): Promise<void> {
  const { actor } = desk
  for (const [name, bids] of Object.entries(draft.adSets ?? {})) {
    const set = await createRow(deps, adSet, { body: { campaignId, name }, actor })
    for (const [key, bid] of Object.entries(bids) as [BannerKey, bigint][]) {
      const body = {
        adSetId: set.publicId,
        bannerId: desk.banners[key],
        name: `${name}, ${key.split('.')[1]}`,
        bidMicros: String(bid),
      }
      const { publicId: adId } = await createRow(deps, ad, { body, actor })
      if (draft.adCap) {
        await createRow(deps, frequencyCap, { body: { ...draft.adCap, adId }, actor })
      }
    }
  }
}

async function addPlaces(deps: DemoDeps, desk: Desk, { campaignId, draft }: Work): Promise<void> {
  const { actor, inventory, banners } = desk
  const booked = Object.entries(draft.booked ?? {}) as [PlacementKey, readonly Booking[]][]
  const places = new Set([...booked.map(([key]) => key), ...(draft.bidsOn ?? [])])
  for (const key of places) {
    await bookPlacement(deps, { campaignId, placementId: inventory.placements[key], actor })
  }
  for (const [key, bookings] of booked) {
    for (const [displayOrder, { banner, ...fields }] of bookings.entries()) {
      await assignBanner(deps, {
        campaignId,
        placementId: inventory.placements[key],
        bannerId: banners[banner],
        fields: { displayOrder, ...fields },
        actor,
      })
    }
  }
}

async function addRules(deps: DemoDeps, { actor }: Desk, { campaignId, draft }: Work) {
  for (const rule of draft.rules ?? []) {
    await createRow(deps, targetingRule, { body: { ...rule, campaignId }, actor })
  }
  if (draft.cap) {
    await createRow(deps, frequencyCap, { body: { ...draft.cap, campaignId }, actor })
  }
}

/** The status changes that lead to a campaign's status. */
const LIVES = {
  draft: [],
  scheduled: ['schedule'],
  active: ['activate'],
  paused: ['activate', 'pause'],
  ended: ['activate', 'end'],
  cancelled: ['cancel'],
} as const

async function liveThrough(deps: DemoDeps, { actor }: Desk, { campaignId, draft }: Work) {
  for (const action of LIVES[draft.state]) {
    await moveCampaign(deps, { publicId: campaignId, actor, action })
  }
  if (draft.state !== 'ended') return
  const endsAt = daysFrom(deps.clock.now(), draft.days?.[1] ?? null)
  await patchRow(deps, campaign, { publicId: campaignId, actor, body: { endsAt } })
}
