import type { Change, Context } from '../../packages/decision-engine/src/index.ts'
import { type Draws, seededDraws } from '../../packages/learning/src/index.ts'

/** A synthetic market: campaigns, true click rates, and the times of requests. */
export interface World {
  readonly seed: number
  readonly campaigns: readonly MarketCampaign[]
  readonly placements: readonly MarketPlacement[]
  readonly changes: readonly Change[]
  /** Share of a day's requests by quarter-hour, for each day. */
  readonly shapes: readonly (readonly number[])[]
}

export interface MarketCampaign {
  readonly key: number
  readonly bidMicros: number
  readonly maxBidMicros: number
  readonly dailyMicros: number
  /** The ad's effect on the log-odds of a click, in general and by device. */
  readonly appeal: number
  readonly deviceAppeal: readonly number[]
  readonly placements: readonly number[]
  readonly country: string | undefined
}

export interface MarketPlacement {
  readonly key: number
  readonly type: string
  readonly floorMicros: number
  /** The placement's effect on the log-odds of a click. */
  readonly appeal: number
}

export interface Visit {
  readonly placement: MarketPlacement
  readonly context: Context
  readonly device: number
  readonly country: number
  readonly hour: number
  /** Price of this impression elsewhere, relative to a usual one. */
  readonly outside: number
}

export const CAMPAIGNS = 200
const PLACEMENTS = 8
export const TYPES = ['feed', 'banner', 'story'] as const
const TYPE_RATES = [0.02, 0.012, 0.018]
const TYPE_ODDS = TYPE_RATES.map((rate) => Math.log(rate / (1 - rate)))
/** Price of a click without competition, as a share of a usual bid. */
const FLOOR_SHARE = 0.5
const OUTSIDE_SPREAD = 0.5
const BID_MICROS = 400_000
/** Share of all impressions that the budgets can buy at booked bids. */
const DEMAND = 0.6
const DEVICES = ['mobile', 'desktop', 'tablet'] as const
const DEVICE_APPEAL = [0.1, -0.15, 0.05]
const COUNTRIES = ['DE', 'FR', 'IT', 'ES'] as const
const COUNTRY_APPEAL = [0, 0.2, -0.25, 0.1]
const ADVERTISERS = 40

export interface WorldSettings {
  readonly seed: number
  readonly shapes: World['shapes']
  readonly requestsPerDay: number
  readonly campaigns?: number
}

export function buildWorld({
  seed,
  shapes,
  requestsPerDay,
  campaigns: count = CAMPAIGNS,
}: WorldSettings): World {
  const draws = seededDraws(seed)
  const placements = Array.from({ length: PLACEMENTS }, (_, at) => ({
    key: at + 1,
    type: TYPES[at % TYPES.length]!,
    floorMicros: Math.round(
      FLOOR_SHARE *
        BID_MICROS *
        1_000 *
        TYPE_RATES[at % TYPES.length]! *
        Math.exp(0.1 * normal(draws)),
    ),
    appeal: 0.3 * normal(draws),
  }))
  const campaigns = Array.from({ length: count }, (_, at) =>
    drawCampaign(at + 1, draws, requestsPerDay / count),
  )
  return { seed, campaigns, placements, shapes, changes: changesOf(campaigns, placements) }
}

function drawCampaign(key: number, draws: Draws, showings: number): MarketCampaign {
  const bidMicros = Math.round(BID_MICROS * Math.max(0.75, Math.exp(0.25 * normal(draws))))
  const appeal = 0.35 * normal(draws)
  const from = Math.floor(draws.next() * PLACEMENTS)
  // From 0.2 to 3 times an even share of the impressions.
  const wanted = showings * Math.exp(Math.log(0.2) + draws.next() * Math.log(15))
  return {
    key,
    bidMicros,
    maxBidMicros: bidMicros,
    dailyMicros: Math.round(wanted * 0.017 * bidMicros * DEMAND),
    appeal,
    deviceAppeal: DEVICES.map(() => 0.15 * normal(draws)),
    placements: [0, 1, 2, 3].map((step) => ((from + step * (1 + (key % 2))) % PLACEMENTS) + 1),
    country: draws.next() < 0.25 ? COUNTRIES[Math.floor(draws.next() * 4)] : undefined,
  }
}

function changesOf(
  campaigns: readonly MarketCampaign[],
  placements: readonly MarketPlacement[],
): Change[] {
  const placed: Change[] = placements.map(({ key, type, floorMicros }) => ({
    put: 'placement',
    record: {
      key,
      slug: `p${key}`,
      type,
      mode: 'auction',
      active: true,
      maxBanners: 1,
      allowPartialRender: false,
      rotation: 'ordered',
      floorMicros,
      timeZone: 'UTC',
    },
  }))
  return [...placed, ...campaigns.flatMap(campaignChanges)]
}

function campaignChanges(campaign: MarketCampaign): Change[] {
  const { key, placements, country } = campaign
  const advertiserKey = (key % ADVERTISERS) + 1
  return [
    {
      put: 'campaign',
      record: {
        key,
        advertiserKey,
        status: 'active',
        pricing: 'cpc',
        bidMicrosMax: campaign.maxBidMicros,
        bidMultiplier: 1,
        mayExceedMax: false,
        rateMicros: 0,
        priority: 0,
        impressionCapReached: false,
        clickCapReached: false,
      },
    },
    ...[...new Set(placements)].map((placementKey): Change => ({
      put: 'campaign-placement',
      record: { campaignKey: key, placementKey, active: true },
    })),
    {
      put: 'banner',
      record: {
        key,
        advertiserKey,
        format: 'single_image',
        active: true,
        scheduleStatus: 'evergreen',
        timeZone: 'UTC',
        evergreenFallback: false,
        priority: 0,
      },
    },
    {
      put: 'ad',
      record: {
        key,
        campaignKey: key,
        bannerKey: key,
        active: true,
        bidMicros: campaign.bidMicros,
      },
    },
    ...(country === undefined ? [] : [countryRule(key, country)]),
  ]
}

const countryRule = (key: number, country: string): Change => ({
  put: 'rule',
  record: {
    key,
    campaignKey: key,
    type: 'country',
    operator: 'in',
    value: { values: [country] },
    active: true,
  },
})

export function drawVisit({ placements }: World, hour: number, draws: Draws): Visit {
  const placement = placements[Math.floor(draws.next() * placements.length)]!
  const device = pick(draws, [0.55, 0.9, 1])
  const country = pick(draws, [0.4, 0.65, 0.85, 1])
  return {
    placement,
    device,
    country,
    hour,
    outside: Math.exp(OUTSIDE_SPREAD * normal(draws)),
    context: { device: DEVICES[device]!, country: COUNTRIES[country]! },
  }
}

/** The true probability that this reader clicks this campaign's ad. No bidder knows it. */
export function trueRate(
  campaign: MarketCampaign,
  { placement, device, country, hour }: Visit,
): number {
  const margin =
    TYPE_ODDS[TYPES.indexOf(placement.type as 'feed')]! +
    placement.appeal +
    DEVICE_APPEAL[device]! +
    COUNTRY_APPEAL[country]! +
    0.15 * Math.sin(((hour - 14) / 24) * 2 * Math.PI) +
    campaign.appeal +
    campaign.deviceAppeal[device]!
  return sigmoid(margin)
}

export const sigmoid = (margin: number): number => 1 / (1 + Math.exp(-margin))

const pick = (draws: Draws, upTo: readonly number[]): number => {
  const draw = draws.next()
  return upTo.findIndex((share) => draw < share)
}

const normal = (draws: Draws): number =>
  Math.sqrt(-2 * Math.log(1 - draws.next())) * Math.cos(2 * Math.PI * draws.next())
