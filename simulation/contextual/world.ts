import {
  applyChange,
  createIndex,
  type DecisionIndex,
  finishLoad,
  type Pricing,
} from '@placard/decision-engine'
import { type Draws, seededDraws } from '@placard/learning'
import type { SiteBid } from '../../apps/server/src/capabilities/contextual/auction/auction.ts'
import { Content } from '../../apps/server/src/capabilities/decisions/catalogue/content.ts'

export const PAGES = 500
export const CAMPAIGNS = 200
export const DAYS = 7
export const DAY_SECONDS = 600
export const SITE = 1
export const PLACEMENT = 1
export const FLOOR_MICROS = 100_000
const CLICK_BUYERS = 0.25
const CREATIVES = 2
/** Readers prefer one creative of each campaign. The site must find out which. */
const LOVED_RATE = 0.05
const OTHER_RATE = 0.012

/** Tier-1 categories of the site's pages. */
const THEMES = ['210', '483', '653', '274', '596', '552', '223', '391', '422', '1', '42', '239']

export interface Creative {
  readonly adKey: number
  readonly campaignKey: number
  /** True click rate on pages about its theme. */
  readonly rate: number
}

export interface Buyer {
  readonly campaignKey: number
  readonly theme: string
  readonly pricing: Pricing
  readonly bidMicros: number
  readonly dailyMicros: number
}

export interface SimulatedWorld {
  readonly index: DecisionIndex
  readonly content: Content
  readonly bids: readonly SiteBid[]
  readonly buyers: ReadonlyMap<number, Buyer>
  readonly creatives: ReadonlyMap<number, Creative>
  readonly pages: readonly { readonly url: string; readonly theme: string; readonly sure: number }[]
}

const between = (draws: Draws, low: number, high: number) => low + (high - low) * draws.next()

/** A site, its pages, and the campaigns that target them. */
export function buildWorld(seed: number): SimulatedWorld {
  const draws = seededDraws(seed)
  const index = createIndex({ expectedAds: CAMPAIGNS * CREATIVES })
  const content = new Content()
  putSite(index, content)
  const buyers = new Map<number, Buyer>()
  const creatives = new Map<number, Creative>()
  const bids: SiteBid[] = []
  for (let campaignKey = 1; campaignKey <= CAMPAIGNS; campaignKey++) {
    const buyer = buyerOf(campaignKey, draws)
    buyers.set(campaignKey, buyer)
    putCampaign(index, content, buyer)
    const loved = Math.floor(draws.next() * CREATIVES)
    for (let creative = 0; creative < CREATIVES; creative++) {
      const adKey = campaignKey * 10 + creative
      const rate = creative === loved ? LOVED_RATE : OTHER_RATE
      creatives.set(adKey, { adKey, campaignKey, rate: rate * Math.exp(between(draws, -0.4, 0.4)) })
      putAd(index, content, { adKey, buyer })
      bids.push(bidOf(adKey, buyer))
    }
  }
  finishLoad(index)
  const pages = Array.from({ length: PAGES }, (_, at) => ({
    url: `https://site.example/${at}`,
    theme: THEMES[at % THEMES.length]!,
    sure: between(draws, 0.4, 0.95),
  }))
  return { index, content, bids, buyers, creatives, pages }
}

function buyerOf(campaignKey: number, draws: Draws): Buyer {
  const isCpc = draws.next() < CLICK_BUYERS
  const [low, high] = isCpc ? [10_000, 20_000] : [300_000, 900_000]
  const bidMicros = Math.round(between(draws, low, high))
  return {
    campaignKey,
    theme: THEMES[campaignKey % THEMES.length]!,
    pricing: isCpc ? 'cpc' : 'cpm',
    bidMicros,
    // A remainder below the price of one click cannot be spent: charges are whole.
    dailyMicros: Math.round(
      isCpc ? bidMicros * between(draws, 12, 24) : between(draws, 40_000, 90_000),
    ),
  }
}

function putSite(index: DecisionIndex, content: Content): void {
  applyChange(index, { put: 'site', record: { key: SITE, approvalRequired: false } })
  applyChange(index, {
    put: 'placement',
    record: {
      key: PLACEMENT,
      slug: 'side',
      type: 'banner',
      siteKey: SITE,
      mode: 'auction',
      active: true,
      maxBanners: 1,
      allowPartialRender: false,
      rotation: 'ordered',
      floorMicros: FLOOR_MICROS,
      timeZone: 'UTC',
      width: 300,
      height: 250,
    },
  })
  content.placementsOfSite.set(SITE, new Set([PLACEMENT]))
  content.campaignsOfPlacement.set(PLACEMENT, new Set())
}

function putCampaign(index: DecisionIndex, content: Content, buyer: Buyer): void {
  const { campaignKey, pricing, bidMicros, dailyMicros } = buyer
  applyChange(index, {
    put: 'campaign',
    record: {
      key: campaignKey,
      advertiserKey: campaignKey,
      status: 'active',
      pricing,
      bidMultiplier: 1,
      mayExceedMax: false,
      rateMicros: bidMicros,
      priority: 0,
      impressionCapReached: false,
      clickCapReached: false,
    },
  })
  applyChange(index, {
    put: 'campaign-placement',
    record: { campaignKey, placementKey: PLACEMENT, active: true },
  })
  content.campaignsOfPlacement.get(PLACEMENT)!.add(campaignKey)
  content.campaigns.set(campaignKey, {
    publicId: String(campaignKey),
    currency: 'EUR',
    isActive: true,
    pricing,
    rateMicros: bidMicros,
    dailyMicros,
    strategy: 'Accelerated',
  } as never)
}

function putAd(
  index: DecisionIndex,
  content: Content,
  { adKey, buyer: { campaignKey, bidMicros } }: { adKey: number; buyer: Buyer },
): void {
  applyChange(index, {
    put: 'banner',
    record: {
      key: adKey,
      advertiserKey: campaignKey,
      format: 'single_image',
      active: true,
      scheduleStatus: 'evergreen',
      timeZone: 'UTC',
      evergreenFallback: false,
      priority: 0,
    },
  })
  const ad = { key: adKey, campaignKey, bannerKey: adKey, active: true, bidMicros, quality: 1 }
  applyChange(index, { put: 'ad', record: ad })
  content.ads.set(adKey, { publicId: String(adKey), campaignKey, bidMicros } as never)
  const ofCampaign = content.adsOfCampaign.get(campaignKey) ?? new Set()
  content.adsOfCampaign.set(campaignKey, ofCampaign.add(adKey))
}

const bidOf = (adKey: number, { campaignKey, theme, pricing, bidMicros }: Buyer): SiteBid => ({
  adKey,
  campaignKey,
  advertiserKey: campaignKey,
  bannerKey: adKey,
  placementKey: PLACEMENT,
  cpmMicros: pricing === 'cpc' ? bidMicros * 12 : bidMicros,
  contentIds: [theme],
  isCategoryTargeted: true,
  floorMicros: FLOOR_MICROS,
  isApproved: true,
  isPaused: false,
  isSiteRefused: false,
  isMisplaced: false,
  isBlocked: false,
  isExhausted: false,
  hasCreative: true,
  isTargeted: false,
})
