import type { REJECT_REASONS } from '@placard/contract/contextual'
import type { PageCategory } from '../classify/classifier.ts'
import type { Taxonomy } from '../classify/taxonomy.ts'
import type { CategoryWeight } from './weights.ts'

/** An ad that may be shown in a placement of the site, from the catalogue. */
export interface SiteBid {
  readonly adKey: number
  readonly campaignKey: number
  readonly advertiserKey: number
  readonly bannerKey: number
  readonly placementKey: number
  readonly cpmMicros: number
  /** Its categories: it is relevant to pages with one of these. */
  readonly contentIds: readonly string[]
  /** Its campaign names categories and runs on no other pages. */
  readonly isCategoryTargeted: boolean
  readonly floorMicros: number
  readonly isApproved: boolean
  readonly isPaused: boolean
  readonly isSiteRefused: boolean
  /** Its size, currency or mode does not fit the placement. */
  readonly isMisplaced: boolean
  readonly isBlocked: boolean
  readonly isExhausted: boolean
  readonly hasCreative: boolean
  /** Its campaign has targeting rules, so it is not for every reader. */
  readonly isTargeted: boolean
}

/** Targeting rules are checked when a reader comes, so they are no reason here. */
export type RejectReason = (typeof REJECT_REASONS)[number]

/** Why the bid cannot run on a page with these categories. Undefined if it can. */
export function judgeBid(
  bid: SiteBid,
  categories: ReadonlySet<string> | undefined,
): RejectReason | undefined {
  if (bid.isPaused) return 'paused'
  if (bid.isSiteRefused) return 'site-not-allowed'
  if (bid.isMisplaced) return 'place'
  if (
    bid.isCategoryTargeted &&
    categories !== undefined &&
    !bid.contentIds.some((id) => categories.has(id))
  ) {
    return 'category-mismatch'
  }
  if (bid.isBlocked) return 'category-blocked'
  if (bid.cpmMicros < bid.floorMicros) return 'below-floor'
  if (bid.isExhausted) return 'budget-exhausted'
  return bid.hasCreative ? undefined : 'no-eligible-creative'
}

/** Conditions that end by themselves: a live candidate stays, and waits. */
export const isTemporary = (reason: RejectReason): boolean => reason === 'budget-exhausted'

export interface Candidate {
  readonly adKey: number
  readonly campaignKey: number
  readonly advertiserKey: number
  readonly bannerKey: number
  readonly categoryId: string
  readonly cpmMicros: number
  /** Confidence of the page's category × the ranker's weight. */
  readonly categoryScore: number
  /** Factor on its score on this page, 1 to 2. Entries of older nodes lack it. */
  readonly relevance?: number
  /** Live before and not found again: kept until then. */
  readonly untilMs?: number
}

/** By placement key. */
export type Candidates = Readonly<Record<string, readonly Candidate[]>>

export interface AuctionSettings {
  /** Candidates for any reader per slot. Targeted candidates come on top. */
  readonly perSlot: number
  /** Keeps every campaign that may run, not only the best, so that the ranker learns more. */
  readonly keepAll: boolean
  /** Bids below this share of the best of their category are left out. */
  readonly bestShareMin: number
  readonly perCategory: number
}

export const AUCTION_DEFAULTS: AuctionSettings = {
  perSlot: 3,
  keepAll: false,
  bestShareMin: 0.2,
  perCategory: 50,
}

/**
 * The factor on the score of a relevant bid: up to 2 for a page surely in a category that the
 * site's readers like, less for an unsure page or a category they like less.
 */
export const relevanceOf = (confidence: number, { share }: CategoryWeight): number =>
  round(1 + confidence * share)

/** The page's categories with their parents, each as sure as the surest below it. */
export function expandCategories(
  taxonomy: Taxonomy,
  categories: readonly PageCategory[],
): ReadonlyMap<string, number> {
  const expanded = new Map<string, number>()
  for (const { categoryId, confidence } of categories) {
    for (const id of taxonomy.lineOf(categoryId)) {
      expanded.set(id, Math.max(expanded.get(id) ?? 0, confidence))
    }
  }
  return expanded
}

/** The bids of a site by placement and by category. */
export type BidIndex = ReadonlyMap<number, ReadonlyMap<string, readonly SiteBid[]>>

/** Groups the bids that are valid on any page, highest first. */
export function indexBids(bids: readonly SiteBid[], settings = AUCTION_DEFAULTS): BidIndex {
  const index = new Map<number, Map<string, SiteBid[]>>()
  for (const bid of bids) {
    if (judgeBid(bid, undefined) !== undefined) continue
    const ofPlacement = index.get(bid.placementKey) ?? new Map<string, SiteBid[]>()
    index.set(bid.placementKey, ofPlacement)
    for (const id of bid.contentIds) {
      const ofCategory = ofPlacement.get(id) ?? []
      ofPlacement.set(id, ofCategory)
      ofCategory.push(bid)
    }
  }
  for (const ofPlacement of index.values()) {
    for (const [id, found] of ofPlacement) ofPlacement.set(id, best(found, settings))
  }
  return index
}

/** Highest first; among equals, those that can be shown at once. */
const byHeight = (a: SiteBid, b: SiteBid) =>
  b.cpmMicros - a.cpmMicros || Number(b.isApproved) - Number(a.isApproved) || a.adKey - b.adKey

function best(bids: readonly SiteBid[], { bestShareMin, perCategory }: AuctionSettings): SiteBid[] {
  const ordered = bids.toSorted(byHeight)
  const least = (ordered[0]?.cpmMicros ?? 0) * bestShareMin
  return ordered.filter(({ cpmMicros }) => cpmMicros >= least).slice(0, perCategory)
}

interface Found {
  readonly bid: SiteBid
  readonly categoryId: string
}

/** The shortlist of a placement for pages with these categories. */
export function shortlist(
  ofPlacement: ReadonlyMap<string, readonly SiteBid[]>,
  categories: ReadonlyMap<string, number>,
  settings = AUCTION_DEFAULTS,
): readonly Found[] {
  const found = new Map<number, Found>()
  for (const [categoryId, confidence] of categories) {
    for (const bid of ofPlacement.get(categoryId) ?? []) {
      const known = found.get(bid.adKey)
      if (known && categories.get(known.categoryId)! >= confidence) continue
      found.set(bid.adKey, { bid, categoryId })
    }
  }
  const ordered = [...found.values()].toSorted((a, b) => byHeight(a.bid, b.bid))
  return settings.keepAll ? ordered : firstOfEach(ordered, settings.perSlot)
}

/** Targeted candidates may make the list this many times as long. */
const TARGETED_TIMES_MAX = 4

/** One creative per campaign first; the next best creatives only if campaigns are few. */
function firstOfEach(ordered: readonly Found[], count: number): readonly Found[] {
  const campaigns = new Set<number>()
  const firsts: Found[] = []
  const others: Found[] = []
  for (const found of ordered) {
    const { campaignKey } = found.bid
    if (campaigns.has(campaignKey)) others.push(found)
    else firsts.push(found)
    campaigns.add(campaignKey)
  }
  const kept: Found[] = []
  let open = 0
  for (const found of [...firsts, ...others]) {
    if (open >= count || kept.length >= count * TARGETED_TIMES_MAX) break
    kept.push(found)
    if (!found.bid.isTargeted) open++
  }
  return kept
}

export interface Auction {
  readonly bids: BidIndex
  readonly categories: ReadonlyMap<string, number>
  /** How well a category does on the site. */
  readonly weightOf: (categoryId: string) => CategoryWeight
  readonly previous: Candidates | undefined
  /** Why an ad cannot run any more. Undefined if it can. */
  readonly reasonOf: (adKey: number) => RejectReason | undefined
  readonly untilMs: number
  readonly nowMs: number
}

/** The candidates of one page, for every placement of its site. */
export function auctionPage(auction: Auction, settings = AUCTION_DEFAULTS): Candidates {
  const { previous = {} } = auction
  const found = joining(auction, settings)
  const result: Record<string, readonly Candidate[]> = {}
  for (const placementKey of Object.keys({ ...previous, ...found })) {
    const merged = merge(auction, found[placementKey] ?? [], previous[placementKey] ?? [])
    if (merged.length > 0) result[placementKey] = merged
  }
  return result
}

/** The candidates found now, for every placement of the site. */
export function joining(
  { bids, categories, weightOf }: Pick<Auction, 'bids' | 'categories' | 'weightOf'>,
  settings = AUCTION_DEFAULTS,
): Candidates {
  const result: Record<string, readonly Candidate[]> = {}
  for (const [placementKey, ofPlacement] of bids) {
    result[placementKey] = shortlist(ofPlacement, categories, settings).map(
      ({ bid, categoryId }) => ({
        adKey: bid.adKey,
        campaignKey: bid.campaignKey,
        advertiserKey: bid.advertiserKey,
        bannerKey: bid.bannerKey,
        categoryId,
        cpmMicros: bid.cpmMicros,
        categoryScore: round(categories.get(categoryId)! * weightOf(categoryId).rate),
        relevance: relevanceOf(categories.get(categoryId)!, weightOf(categoryId)),
      }),
    )
  }
  return result
}

/** The previous lists, with the missing new candidates appended. */
export function appended(previous: Candidates, joining: Candidates): Candidates {
  const result: Record<string, readonly Candidate[]> = { ...previous }
  for (const [placementKey, found] of Object.entries(joining)) {
    const before = previous[placementKey] ?? []
    const creatives = new Set(before.map(({ bannerKey }) => bannerKey))
    const missing = found.filter(({ bannerKey }) => !creatives.has(bannerKey))
    if (missing.length > 0) result[placementKey] = [...before, ...missing]
  }
  return result
}

const round = (score: number) => Math.round(score * 1e6) / 1e6

/** Maximum number of candidates kept although they were not found again. */
const ORPHANS_MAX = 6

/** Keeps live candidates that are out only for now. A creative appears once. */
function merge(
  { reasonOf, untilMs, nowMs }: Auction,
  fresh: readonly Candidate[],
  previous: readonly Candidate[],
): readonly Candidate[] {
  const creatives = new Set(fresh.map(({ bannerKey }) => bannerKey))
  const orphans: Candidate[] = []
  for (const candidate of previous) {
    if (creatives.has(candidate.bannerKey) || orphans.length >= ORPHANS_MAX) continue
    if ((candidate.untilMs ?? Infinity) <= nowMs) continue
    const reason = reasonOf(candidate.adKey)
    if (reason !== undefined && !isTemporary(reason)) continue
    creatives.add(candidate.bannerKey)
    orphans.push({ ...candidate, untilMs: candidate.untilMs ?? untilMs })
  }
  return [...fresh, ...orphans]
}
