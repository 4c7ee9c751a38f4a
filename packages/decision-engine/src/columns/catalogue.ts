import { KeyMap } from './key-map.ts'
import { RESERVE_MICROS } from '../decide/price.ts'
import { ProgramPool } from './program-pool.ts'
import type { Assignment, FrequencyCap, Placement, SpendVerdict } from '../changes/records.ts'
import { Rows } from './rows.ts'
import type { Schedule } from '../decide/schedule.ts'
import type { AuctionLists } from './auction-lists.ts'
import { heuristicScorer, type Scorer } from '../decide/scorer.ts'
import { ALL_HOURS, ALL_TRAITS } from '../decide/targeting.ts'
import { Terms } from './terms.ts'
import { ListMerge } from '../decide/list-merge.ts'
import { type ZoneClock, ZoneClocks } from '../decide/zones.ts'

export const NONE = -1

/** Lanes of an candidate that every decision reads: one cache line. */
export const CANDIDATE = {
  width: 8,
  baseScore: 0,
  publishAt: 1,
  expiresAt: 2,
  odds: 3,
  quality: 4,
  effectiveBid: 5,
  // 4-byte columns.
  campaign: 12,
  banner: 13,
  firstCap: 14,
  /** Schedule number × 256 + flags. */
  schedule: 15,
} as const

export const CANDIDATE_FLAG = { cpc: 1 } as const

/** Lanes of an candidate that only changes and answers read. */
export const CANDIDATE_COLD = {
  width: 6,
  key: 0,
  bid: 1,
  ownQuality: 2,
  nextOfCampaign: 6,
  previousOfCampaign: 7,
  nextOfBanner: 8,
  previousOfBanner: 9,
  /** kind + 4 × active + 8 × listed. */
  state: 10,
  placement: 11,
} as const

export const KIND = { ad: 0, assignment: 1, evergreen: 2 } as const
export const STATE = { kind: 3, active: 4, listed: 8 } as const

export const CAMPAIGN = {
  width: 8,
  startsAt: 0,
  endsAt: 1,
  key: 2,
  traits: 6,
  hours: 7,
  programStart: 8,
  programEnd: 9,
  advertiser: 10,
  firstCap: 11,
  flags: 12,
  priority: 13,
  currency: 14,
  firstCandidate: 15,
} as const

export const CAMPAIGN_FLAG = {
  present: 1,
  active: 2,
  impressionCapReached: 4,
  clickCapReached: 8,
  exhausted: 16,
  aheadOfPlan: 32,
  cpc: 64,
  mayExceedMax: 128,
} as const

/** Lanes of a campaign that only changes read. */
export const CAMPAIGN_COLD = {
  width: 4,
  bidMax: 0,
  multiplier: 1,
  rate: 2,
  ownMultiplier: 3,
} as const

export const BANNER = {
  width: 8,
  publishAt: 0,
  expiresAt: 1,
  key: 2,
  schedule: 6,
  format: 7,
  sizes: 8,
  adProduct: 9,
  flags: 10,
  priority: 11,
  firstCandidate: 12,
  evergreenCandidate: 13,
  advertiser: 14,
  /** A number of `siteSets`: where publishers have accepted it. */
  approvedSites: 15,
} as const

export const BANNER_FLAG = { present: 1, active: 2, expired: 4 } as const

export const ADVERTISER = { width: 2, key: 0, firstCap: 2 } as const

export const CAP = { width: 4, key: 0, scopeKey: 1, max: 4, window: 5, next: 6 } as const

/** Schedule numbers of a banner without recurrence, and of one whose text is not valid. */
export const ALWAYS = 0
export const NEVER = 1

/** What only changes need to know of a campaign. It exists from the first row that names its key. */
export interface CampaignDetail {
  readonly row: number
  readonly key: number
  /** Active and inactive rules in the code of `encodeRule`. */
  rules: readonly number[]
  categories: readonly string[]
  /** What it advertises; a site may block that. */
  adProduct: string | undefined
  /** Placement rows it is actively linked to. */
  placements: readonly number[]
  anchors: readonly number[]
}

export interface SiteDetail {
  present: boolean
  approvalRequired: boolean
  readonly blockedAdvertisers: Set<number>
  readonly blockedAdProducts: Set<string>
  readonly placements: Set<number>
}

export interface PlacementDetail {
  readonly row: number
  record: Placement | undefined
  site: SiteDetail | undefined
  /** A number of `sizeSets`; 0 accepts all. */
  sizes: number
  /** Numbers of `words`. */
  formats: ReadonlySet<number> | undefined
  currency: number
  clock: ZoneClock
  /** Every assignment's candidate row, and those that can serve, in row order. */
  readonly assigned: Set<number>
  readonly bookings: number[]
  readonly fallbacks: number[]
  /** Auction candidates. */
  auctionLists: AuctionLists
}

/**
 * The catalogue, compiled. Change it with `applyChange` only; decisions read it and keep their
 * scratch in it, so one index serves one thread.
 */
export interface DecisionIndex {
  readonly scorer: Scorer
  readonly reserveMicros: number
  /** A scope this small is walked whole; above it, lists are split by each ad's anchor terms. */
  readonly splitAbove: number
  /** Counts applied changes: what a recorded decision was decided on. */
  version: number
  loading: boolean
  readonly terms: Terms
  readonly zones: ZoneClocks
  readonly utc: ZoneClock
  readonly candidates: Rows
  readonly candidatesCold: Rows
  readonly campaigns: Rows
  readonly campaignsCold: Rows
  readonly banners: Rows
  readonly caps: Rows
  readonly schedules: (Schedule | undefined)[]
  readonly scheduleNumbers: Map<string, number>
  /** Formats, currencies and ad products as numbers; 0 is none. */
  readonly words: Map<string, number>
  readonly wordTexts: string[]
  readonly sizeSets: Map<string, number>
  readonly sizeSetMembers: (readonly string[])[]
  readonly siteSets: Map<string, number>
  readonly siteSetMembers: (readonly number[])[]
  readonly programs: ProgramPool
  readonly adRows: KeyMap
  readonly assignmentRows: KeyMap
  readonly campaignRows: KeyMap
  readonly bannerRows: KeyMap
  readonly placementRows: Map<number, number>
  readonly advertiserRows: Map<number, number>
  readonly placementBySlug: Map<string, number>
  readonly campaignDetails: (CampaignDetail | undefined)[]
  readonly placements: PlacementDetail[]
  readonly sites: Map<number, SiteDetail>
  readonly advertisers: Rows
  readonly capsByKey: Map<number, FrequencyCap>
  readonly capRows: Map<number, number>
  /** First cap of an ad or campaign by its key, so that a cap may come before what it caps. */
  readonly adCaps: Map<number, number>
  readonly campaignCaps: Map<number, number>
  readonly spendVerdicts: Map<number, SpendVerdict>
  /** What was learned of an ad or a campaign by its key; it outlives a new row of either. */
  readonly clickOdds: Map<number, number>
  readonly bidMultipliers: Map<number, number>
  readonly bidLifts: Map<number, number>
  readonly assignments: Map<number, Assignment>
  readonly typeLists: Map<string, AuctionLists>
  /** Evergreen candidates in row order. */
  readonly evergreens: number[]
  /** The lowest quality ever put: turns a floor into a score that lower bids cannot pass. */
  qualityMin: number
  /** Scratch of the decision in hand. */
  readonly merge: ListMerge
}

export interface IndexOptions {
  readonly scorer?: Scorer
  readonly reserveMicros?: number
  /** Room for this many ads, so that loading does not grow the columns. */
  readonly expectedAds?: number
  readonly splitAbove?: number
}

const SPLIT_ABOVE = 256

/** The campaign row of house banners, which belong to no campaign. */
export const HOUSE = 0
export const HOUSE_KEY = -1

/** An empty index in loading state: put the catalogue in any order, then call `finishLoad`. */
export function createIndex(options: IndexOptions = {}): DecisionIndex {
  const ads = options.expectedAds ?? 1024
  const zones = new ZoneClocks()
  const index: DecisionIndex = {
    scorer: options.scorer ?? heuristicScorer,
    reserveMicros: options.reserveMicros ?? RESERVE_MICROS,
    splitAbove: options.splitAbove ?? SPLIT_ABOVE,
    version: 0,
    loading: true,
    terms: new Terms(),
    zones,
    utc: zones.find('UTC')!,
    candidates: new Rows(CANDIDATE.width, ads),
    candidatesCold: new Rows(CANDIDATE_COLD.width, ads),
    campaigns: new Rows(CAMPAIGN.width, Math.ceil(ads / 4)),
    campaignsCold: new Rows(CAMPAIGN_COLD.width, Math.ceil(ads / 4)),
    banners: new Rows(BANNER.width, ads),
    caps: new Rows(CAP.width, 64),
    schedules: [undefined, undefined],
    scheduleNumbers: new Map(),
    words: new Map([['', 0]]),
    wordTexts: [''],
    sizeSets: new Map([['', 0]]),
    sizeSetMembers: [[]],
    siteSets: new Map([['', 0]]),
    siteSetMembers: [[]],
    programs: new ProgramPool(),
    adRows: new KeyMap(ads),
    assignmentRows: new KeyMap(),
    campaignRows: new KeyMap(Math.ceil(ads / 4)),
    bannerRows: new KeyMap(ads),
    placementRows: new Map(),
    advertiserRows: new Map(),
    placementBySlug: new Map(),
    campaignDetails: [],
    placements: [],
    sites: new Map(),
    advertisers: new Rows(ADVERTISER.width, 64),
    capsByKey: new Map(),
    capRows: new Map(),
    adCaps: new Map(),
    campaignCaps: new Map(),
    spendVerdicts: new Map(),
    clickOdds: new Map(),
    bidMultipliers: new Map(),
    bidLifts: new Map(),
    assignments: new Map(),
    typeLists: new Map(),
    evergreens: [],
    qualityMin: Infinity,
    merge: new ListMerge(),
  }
  addHouse(index)
  return index
}

function addHouse(index: DecisionIndex): void {
  const row = index.campaigns.take()
  index.campaignsCold.take()
  const at = row * CAMPAIGN.width
  index.campaigns.f64[at + CAMPAIGN.startsAt] = -Infinity
  index.campaigns.f64[at + CAMPAIGN.endsAt] = Infinity
  index.campaigns.f64[at + CAMPAIGN.key] = HOUSE_KEY
  const i32 = index.campaigns.i32
  i32[at * 2 + CAMPAIGN.traits] = ALL_TRAITS
  i32[at * 2 + CAMPAIGN.hours] = ALL_HOURS
  i32[at * 2 + CAMPAIGN.advertiser] = NONE
  i32[at * 2 + CAMPAIGN.firstCap] = NONE
  i32[at * 2 + CAMPAIGN.flags] = CAMPAIGN_FLAG.present | CAMPAIGN_FLAG.active
  i32[at * 2 + CAMPAIGN.firstCandidate] = NONE
  index.campaignDetails.push(undefined)
}

export const advertiserKeyAt = (index: DecisionIndex, advertiser: number): number =>
  index.advertisers.f64[advertiser * ADVERTISER.width + ADVERTISER.key]!

/** A word as a number; the same word always gets the same number. */
export function wordNumber(index: DecisionIndex, word: string | undefined): number {
  if (word === undefined) return 0
  const known = index.words.get(word)
  if (known !== undefined) return known
  const number = index.words.size
  index.words.set(word, number)
  index.wordTexts.push(word)
  return number
}

/** A set of sizes as a number, in any order of its members. */
export function sizeSetNumber(index: DecisionIndex, sizes: readonly string[] | undefined): number {
  const members = [...new Set(sizes)].toSorted()
  const name = members.join(' ')
  const known = index.sizeSets.get(name)
  if (known !== undefined) return known
  const number = index.sizeSets.size
  index.sizeSets.set(name, number)
  index.sizeSetMembers.push(members)
  return number
}

/** A set of sites as a number: most banners are accepted by one of a few sets. */
export function siteSetNumber(index: DecisionIndex, siteKeys: readonly number[]): number {
  const members = siteKeys.toSorted((a, b) => a - b)
  const name = members.join(' ')
  const known = index.siteSets.get(name)
  if (known !== undefined) return known
  const number = index.siteSets.size
  index.siteSets.set(name, number)
  index.siteSetMembers.push(members)
  return number
}
