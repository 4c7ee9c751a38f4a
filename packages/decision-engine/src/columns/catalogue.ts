import { type Schedule, type ZoneClock, ZoneClocks } from '@placard/calendar'
import { KeyMap } from './key-map.ts'
import { RESERVE_MICROS } from '../decide/price.ts'
import { ProgramPool } from './program-pool.ts'
import type { Assignment, FrequencyCap, Placement, SpendVerdict } from '../changes/records.ts'
import { AdvertiserRows, BannerRows, CAMPAIGN_FLAG, CampaignRows, CapRows } from './tables.ts'
import { CandidateRows, NONE } from './candidate-rows.ts'
import type { AuctionLists } from './auction-lists.ts'
import { heuristicScorer, type Scorer } from '../decide/scorer.ts'
import { ALL_HOURS, ALL_TRAITS } from '../decide/targeting.ts'
import { Terms } from './terms.ts'
import { ListMerge } from '../decide/list-merge.ts'

/** Schedule numbers of a banner without recurrence, and of one whose text is not valid. */
export const ALWAYS = 0
export const NEVER = 1

/** What only changes need to know of a campaign. It exists from the first row that names its key. */
export interface CampaignDetail {
  readonly row: number
  readonly key: number
  /** Active and inactive rules in the code of `encodeRule`. */
  rules: readonly number[]
  /** What it wants to stand beside; `UNKNOWN_PAGE` among them where it takes unknown pages too. */
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
  /** Banner rows of publishers' houses, each with the publisher whose placements it may fill. */
  readonly houses: Map<number, number>
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
    assignments: new Map(),
    typeLists: new Map(),
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
