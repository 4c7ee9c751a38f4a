import { type Schedule, type ZoneClock, ZoneClocks } from '@placard/calendar'
import { KeyMap } from './key-map.ts'
import { RESERVE_MICROS } from '../decide/price.ts'
import { ProgramPool } from './program-pool.ts'
import type { Assignment, FrequencyCap, Placement, SpendVerdict } from '../changes/records.ts'
import { AdvertiserRows, BannerRows, CAMPAIGN_FLAG, CampaignRows, CapRows } from './tables.ts'
import { CandidateRows, NONE } from './candidate-rows.ts'
import type { AuctionLists } from './auction-lists.ts'
import { PlacementsByType } from './placements-by-type.ts'
import { heuristicScorer, type Scorer } from '../decide/scorer.ts'
import { ALL_HOURS, ALL_TRAITS } from '../decide/targeting.ts'
import { Terms } from './terms.ts'
import { ListMerge } from '../decide/list-merge.ts'

/** Schedules of a banner without recurrence, and of one with an invalid rule. */
export const ALWAYS = 0
export const NEVER = 1

/** Campaign data that only changes need. Exists from the first row that names the campaign's key. */
export interface CampaignDetail {
  readonly row: number
  readonly key: number
  /** Active and inactive rules, as `encodeRule` encodes them. */
  rules: readonly number[]
  /** Page categories it runs on. Contains `UNKNOWN_PAGE` if it also runs on unclassified pages. */
  categories: readonly string[]
  /** The advertised product, which a site may block. */
  adProduct: string | undefined
  exclusionLabels: readonly string[]
  /** Rows of the placements it is actively booked on. */
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
  /** Index into `sizeSets`. 0 accepts all sizes. */
  sizes: number
  /** Indexes into `words`. */
  formats: ReadonlySet<number> | undefined
  currency: number
  clock: ZoneClock
  /** Candidate rows of all assignments, and of those that can serve, in row order. */
  readonly assigned: Set<number>
  readonly bookings: number[]
  readonly fallbacks: number[]
  /** Auction candidates. */
  auctionLists: AuctionLists
}

/**
 * The compiled catalogue. Change it with `applyChange` only. Decisions also keep their scratch data
 * in it, so use one index per thread.
 */
export interface DecisionIndex {
  readonly scorer: Scorer
  readonly reserveMicros: number
  /** Larger scopes split their lists by the anchor terms of the ads. */
  readonly splitAbove: number
  /** Number of applied changes. A record names the version it was decided on. */
  version: number
  loading: boolean
  readonly terms: Terms
  readonly zones: ZoneClocks
  readonly utc: ZoneClock
  readonly candidates: CandidateRows
  readonly campaigns: CampaignRows
  readonly banners: BannerRows
  readonly caps: CapRows
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
  readonly advertisers: AdvertiserRows
  readonly capsByKey: Map<number, FrequencyCap>
  readonly capRows: Map<number, number>
  /** First cap of an ad or campaign by key, so that a cap may come before its target. */
  readonly adCaps: Map<number, number>
  readonly campaignCaps: Map<number, number>
  readonly spendVerdicts: Map<number, SpendVerdict>
  /** Learned values by ad or campaign key. They outlive a new row of either. */
  readonly clickOdds: Map<number, number>
  readonly bidMultipliers: Map<number, number>
  readonly bidLifts: Map<number, number>
  /** Campaigns whose multiplier applies to their target. */
  readonly bidsByTarget: Set<number>
  readonly conversionOdds: Map<number, number>
  readonly assignments: Map<number, Assignment>
  readonly placementsByType: PlacementsByType
  /** Evergreen candidates in row order. */
  readonly evergreens: number[]
  /** Publishers' own evergreen banners: banner row → the publisher whose placements it may fill. */
  readonly houses: Map<number, number>
  /** The lowest quality ever put: turns a floor into a score that every bid below the floor misses. */
  qualityMin: number
  /** Scratch data of the current decision. */
  readonly merge: ListMerge
}

export interface IndexOptions {
  readonly scorer?: Scorer
  readonly reserveMicros?: number
  /** Initial capacity, so that loading does not grow the columns. */
  readonly expectedAds?: number
  readonly splitAbove?: number
}

const SPLIT_ABOVE = 256

/** Campaign row of evergreen banners, which belong to no campaign. */
export const HOUSE = 0
export const HOUSE_KEY = -1

/** An empty index. Apply the catalogue's rows in any order, then call `finishLoad`. */
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
    candidates: new CandidateRows(ads),
    campaigns: new CampaignRows(Math.ceil(ads / 4)),
    banners: new BannerRows(ads),
    caps: new CapRows(64),
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
    advertisers: new AdvertiserRows(64),
    capsByKey: new Map(),
    capRows: new Map(),
    adCaps: new Map(),
    campaignCaps: new Map(),
    spendVerdicts: new Map(),
    clickOdds: new Map(),
    bidMultipliers: new Map(),
    bidLifts: new Map(),
    bidsByTarget: new Set(),
    conversionOdds: new Map(),
    assignments: new Map(),
    placementsByType: new PlacementsByType(),
    evergreens: [],
    houses: new Map(),
    qualityMin: Infinity,
    merge: new ListMerge(),
  }
  addHouse(index)
  return index
}

function addHouse({ campaigns, campaignDetails }: DecisionIndex): void {
  const row = campaigns.take()
  campaigns.setStartsAt(row, -Infinity)
  campaigns.setEndsAt(row, Infinity)
  campaigns.setKey(row, HOUSE_KEY)
  campaigns.setTraits(row, ALL_TRAITS)
  campaigns.setHours(row, ALL_HOURS)
  campaigns.setAdvertiser(row, NONE)
  campaigns.setFirstCap(row, NONE)
  campaigns.setFlags(row, CAMPAIGN_FLAG.present | CAMPAIGN_FLAG.active)
  campaigns.setFirstCandidate(row, NONE)
  campaignDetails.push(undefined)
}

/** The number of a word: always the same for the same word. */
export function wordNumber(index: DecisionIndex, word: string | undefined): number {
  if (word === undefined) return 0
  const known = index.words.get(word)
  if (known !== undefined) return known
  const number = index.words.size
  index.words.set(word, number)
  index.wordTexts.push(word)
  return number
}

/** The number of a set of sizes. The order of the sizes does not matter. */
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

/** The number of a set of sites. Most banners are approved by one of a few sets. */
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
