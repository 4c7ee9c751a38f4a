import { DAY_MS } from '@placard/calendar'
import type { Draws } from '@placard/learning'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import {
  appended,
  auctionPage,
  AUCTION_DEFAULTS,
  type AuctionSettings,
  type BidIndex,
  type Candidates,
  expandCategories,
  indexBids,
  joining,
  judgeBid,
  type RejectReason,
  type SiteBid,
} from './auction.ts'
import { PAGE_LIFE_MS } from '../pages/page.ts'
import { listSiteBids } from './reads-bids.ts'
import {
  type AuctionedPage,
  type CampaignPages,
  listAuctionable,
  saveEntries,
} from './store-index.ts'
import { listScores } from '../serving/store-ranker.ts'
import { type CategoryWeight, weigher } from './weights.ts'
import type { ContentOfAdProduct, Taxonomy } from '../classify/taxonomy.ts'

export interface AuctionDeps {
  readonly db: Database
  readonly clock: Clock
  readonly draws: Draws
  readonly taxonomy: Taxonomy
  readonly contentOf: ContentOfAdProduct
  readonly auctionSettings?: AuctionSettings
}

export const ENTRY_LIFE_MS = 120 * 60_000
const PAGES_PER_STEP = 500
const PAGES_MAX = 1_000_000
/** Exhausted candidates wait for the next day and a little longer. */
export const MARK_MS = DAY_MS * 1.1

interface Order {
  readonly siteId: bigint
  /** Only pages of these campaigns. */
  readonly campaigns?: readonly number[] | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Auctioned {
  readonly pages: number
  readonly written: number
}

/** Works out ahead of time which ads may run on the pages of a site. */
export async function auctionSite(deps: AuctionDeps, order: Order): Promise<Auctioned> {
  const { db, clock, auctionSettings: settings = AUCTION_DEFAULTS } = deps
  const { siteId, campaigns } = order
  const now = clock.now()
  const bids = await listSiteBids(db, { siteId, now, contentOf: deps.contentOf })
  const ground = {
    bids: indexBids(bids, settings),
    reasons: reasonsOf(bids),
    weightOf: await weights(deps, siteId, now),
    nowMs: now.getTime(),
    settings,
  }
  const of = campaigns && pagesOf(deps, bids, campaigns)
  return eachPage(deps, { ...order, of, now }, (page) => candidatesOf(deps, page, ground))
}

/** Adds a newly approved creative to the lists that lack it. Nothing else moves. */
export async function appendBanner(
  deps: AuctionDeps,
  { siteId, bannerKey }: { siteId: bigint; bannerKey: number },
): Promise<Auctioned> {
  const { db, clock, auctionSettings: settings = AUCTION_DEFAULTS } = deps
  const now = clock.now()
  const all = await listSiteBids(db, { siteId, now, contentOf: deps.contentOf })
  const bids = all.filter((bid) => bid.bannerKey === bannerKey)
  const index = indexBids(bids, settings)
  if (index.size === 0) return { pages: 0, written: 0 }
  const weightOf = await weights(deps, siteId, now)
  const of = pagesOf(deps, bids, [...new Set(bids.map(({ campaignKey }) => campaignKey))])
  return eachPage(deps, { siteId, of, now }, (page) => {
    const categories = expandCategories(deps.taxonomy, page.categories)
    return appended(page.previous ?? {}, joining({ bids: index, categories, weightOf }, settings))
  })
}

interface Pages extends Order {
  readonly of: CampaignPages | undefined
  readonly now: Date
}

async function eachPage(
  { db, taxonomy }: AuctionDeps,
  { siteId, of, now, signal }: Pages,
  candidatesOn: (page: AuctionedPage) => Candidates,
): Promise<Auctioned> {
  const freshSince = new Date(now.getTime() - PAGE_LIFE_MS)
  let pages = 0
  let written = 0
  let after = 0
  for (;;) {
    if (pages >= PAGES_MAX || signal?.aborted) break
    const some = await listAuctionable(db, { siteId, after, limit: PAGES_PER_STEP, freshSince, of })
    const entries = some.map((page) => ({
      ...page,
      categories: expandCategories(taxonomy, page.categories),
      candidates: candidatesOn(page),
    }))
    written += await saveEntries(db, entries, { siteId, now, lifeMs: ENTRY_LIFE_MS })
    pages += some.length
    if (some.length < PAGES_PER_STEP) break
    after = some.at(-1)!.pageKey
  }
  return { pages, written }
}

/** Pages of these campaigns: in the categories they name, or any below. */
function pagesOf(
  { taxonomy }: AuctionDeps,
  bids: readonly SiteBid[],
  campaigns: readonly number[],
): CampaignPages {
  const wanted = new Set<string>()
  for (const { campaignKey, contentIds } of bids) {
    if (campaigns.includes(campaignKey)) for (const id of contentIds) wanted.add(id)
  }
  return { campaigns, categoryIds: taxonomy.below(wanted) }
}

interface Ground {
  readonly bids: BidIndex
  readonly reasons: ReadonlyMap<number, RejectReason | undefined>
  readonly weightOf: (categoryId: string) => CategoryWeight
  readonly nowMs: number
  readonly settings: AuctionSettings
}

function candidatesOf({ taxonomy }: AuctionDeps, page: AuctionedPage, ground: Ground) {
  const { nowMs, reasons } = ground
  const categories = expandCategories(taxonomy, page.categories)
  return auctionPage(
    {
      bids: ground.bids,
      weightOf: ground.weightOf,
      categories,
      previous: page.previous ?? undefined,
      // An ad that is no longer booked here is out for good.
      reasonOf: (adKey) => (reasons.has(adKey) ? reasons.get(adKey) : 'place'),
      untilMs: nowMs + MARK_MS,
      nowMs,
    },
    ground.settings,
  )
}

/** For an ad in several placements, the mildest reason. */
function reasonsOf(bids: readonly SiteBid[]): ReadonlyMap<number, RejectReason | undefined> {
  const reasons = new Map<number, RejectReason | undefined>()
  for (const bid of bids) {
    const reason = judgeBid(bid, undefined)
    if (!reasons.has(bid.adKey) || reason === undefined) reasons.set(bid.adKey, reason)
  }
  return reasons
}

const weights = async ({ db, draws }: AuctionDeps, siteId: bigint, now: Date) =>
  weigher(await listScores(db, { siteId, now }), { nowMs: now.getTime(), draws })
