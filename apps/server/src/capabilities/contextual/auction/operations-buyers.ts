import { REJECT_REASONS } from '@placard/contract/contextual'
import { expandCategories, judgeBid, type RejectReason, type SiteBid } from './auction.ts'
import { type ContextualDeps, findTarget, type PageTarget } from '../pages/operations-pages.ts'
import { type BidNames, listBidNames, listSiteBids } from './reads-bids.ts'
import { findCandidates } from './store-index.ts'
import { listCategoriesOf } from '../pages/store-pages.ts'

const BUYERS_MAX = 200

/** The bids of a page's site as the auctioneer judges them, best first, with reasons. */
export async function listBuyers(deps: ContextualDeps, target: PageTarget) {
  const { db, clock, taxonomy, contentOf } = deps
  const page = await findTarget(deps, target)
  const categories = expandCategories(taxonomy, await listCategoriesOf(db, [page.id]))
  const bids = await listSiteBids(db, { siteId: page.siteId, now: clock.now(), contentOf })
  const judged = judge(bids, new Set(categories.keys()))
  const candidates = await findCandidates(db, page.id)
  const names = new Map(
    (await listBidNames(db, judged)).map((name) => [keyOf(name), name] as const),
  )
  const items = judged.flatMap((bid) => {
    const name = names.get(keyOf(bid))
    if (name === undefined) return []
    const content = surest(bid.contentIds, categories)
    return {
      ...present(bid, name),
      category: content === undefined ? null : taxonomy.categories.get(content)!.name,
      isStanding: (candidates[bid.placementKey] ?? []).some(({ adKey }) => adKey === bid.adKey),
    }
  })
  return { items }
}

type Judged = SiteBid & { readonly reason: RejectReason | null }

const judge = (bids: readonly SiteBid[], categories: ReadonlySet<string>): readonly Judged[] =>
  bids
    .map((bid) => ({ ...bid, reason: judgeBid(bid, categories) ?? null }))
    .toSorted((a, b) => placeOf(a) - placeOf(b) || b.cpmMicros - a.cpmMicros)
    .slice(0, BUYERS_MAX)

/**
 * Accepted bids first; then refused ones, the last reasons in the list being the nearest misses.
 */
const placeOf = ({ reason }: Judged) =>
  reason === null ? 0 : REJECT_REASONS.length - REJECT_REASONS.indexOf(reason)

const keyOf = ({ adKey, placementKey }: Pick<SiteBid, 'adKey' | 'placementKey'>) =>
  `${adKey} ${placementKey}`

const surest = (contentIds: readonly string[], categories: ReadonlyMap<string, number>) =>
  contentIds
    .filter((id) => categories.has(id))
    .toSorted((a, b) => categories.get(b)! - categories.get(a)!)[0]

const present = ({ cpmMicros, isApproved, reason }: Judged, name: BidNames) => ({
  placement: name.placement,
  campaignId: name.campaignId,
  campaignName: name.campaignName,
  advertiserName: name.advertiserName,
  bannerId: name.bannerId,
  bannerTitle: name.bannerTitle,
  cpmMicros: String(Math.round(cpmMicros)),
  currency: name.currency,
  isApproved,
  reason,
})
