import { DAY_MS } from '@placard/calendar'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { budgetDayOf } from '../../budgets/index.ts'
import {
  type AuctionMatch,
  type AuctionQuery,
  type Claims,
  type Destination,
  landingUrl,
  type Showing,
  type TouchQuery,
  type WinnerKeys,
} from '../../tracking/index.ts'
import type { Content } from '../catalogue/content.ts'
import { keysOf } from './links.ts'
import { type RecordedWinner, unpackWinners } from '../records/record-line.ts'
import {
  findAdThing,
  findAssignmentUrl,
  findBannerTarget,
  findBannerThing,
  findPlacementKey,
  listAllAuctionsOfUser,
  listAuctionsOfUser,
  type NamedThing,
  type UserAuction,
} from './reads-showings.ts'
import { eraseUserFromAuctions } from '../records/store-auctions.ts'
import { emptySegments } from '../readers/store-segments.ts'

export interface ShowingDeps {
  readonly db: Database
  readonly content: Content
  userKeyOf(userId: string): string
}

/** Where the click on a showing goes; from memory, or from the database when its banner is gone. */
export async function destinationOf(
  { db, content }: ShowingDeps,
  { winner, decisionId, placementKey }: Claims,
): Promise<Destination | undefined> {
  const url = urlInMemory(content, winner) ?? (await urlInDatabase(db, winner))
  if (url == null) return undefined
  const { campaignKey } = winner
  const macros = {
    decisionId,
    adId: winner.source === 'ad' ? content.ads.get(winner.key)?.publicId : undefined,
    bannerId: content.banners.get(winner.bannerKey)?.publicId,
    campaignId:
      campaignKey === undefined ? undefined : content.campaigns.get(campaignKey)?.publicId,
    placement: placementKey === undefined ? undefined : content.placements.get(placementKey)?.slug,
  }
  return { landingUrl: url, macros: withoutMissing(macros) }
}

function urlInMemory(content: Content, { source, key, bannerKey }: WinnerKeys) {
  const banner = content.banners.get(bannerKey)
  if (banner === undefined) return undefined
  const own = source === 'assignment' ? content.overrides.get(key)?.ctaUrl : undefined
  return own == null ? banner.landingUrl : landingUrl(own, banner.utm)
}

async function urlInDatabase(db: Database, { source, key, bannerKey }: WinnerKeys) {
  const banner = await findBannerTarget(db, bannerKey)
  if (banner === undefined) return undefined
  const own = source === 'assignment' ? await findAssignmentUrl(db, key) : null
  const url = own ?? banner.ctaUrl
  return url === null ? undefined : landingUrl(url, banner.utm)
}

const withoutMissing = (macros: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(macros).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >

const AUCTIONS_MAX = 200

/** The newest decision that showed the named thing to the user. */
export async function findAuctionOf(deps: ShowingDeps, query: AuctionQuery): Promise<AuctionMatch> {
  const { db } = deps
  const thing = await findThing(db, query)
  if (thing === undefined) return { verdict: 'unknown' }
  const placementKey =
    query.placementSlug === undefined ? undefined : await findPlacementKey(db, query.placementSlug)

  const auctions = query.userId === undefined ? [] : await auctionsOf(deps, query, query.userId)
  for (const auction of auctions) {
    if (placementKey !== undefined && Number(auction.placementId) !== placementKey) continue
    const winners = unpackWinners(auction.winners)
    const position = winners.findIndex((winner) => isAbout(winner, thing))
    if (position >= 0) {
      const userKey = deps.userKeyOf(query.userId!)
      const claims = claimsOf(auction, { winner: winners[position]!, position, thing, userKey })
      return { verdict: 'matched', claims }
    }
  }
  return {
    verdict: 'unmatched',
    winner: winnerOf(thing),
    ...(placementKey !== undefined && { placementKey }),
  }
}

const findThing = (db: Database, { adId, bannerId }: AuctionQuery) =>
  adId === undefined ? findBannerThing(db, bannerId ?? '') : findAdThing(db, adId)

const auctionsOf = ({ db, userKeyOf }: ShowingDeps, query: AuctionQuery, userId: string) =>
  listAuctionsOfUser(db, {
    userKey: userKeyOf(userId),
    fromMs: query.fromMs,
    toMs: query.toMs,
    limit: AUCTIONS_MAX,
  })

const isAbout = (
  { source, key, bannerKey }: RecordedWinner,
  { adId, bannerId }: NamedThing,
): boolean =>
  adId === null ? bannerKey === Number(bannerId) : source === 'auction' && key === Number(adId)

interface Found {
  readonly winner: RecordedWinner
  readonly position: number
  readonly thing: NamedThing
  readonly userKey: string
}

function claimsOf(auction: UserAuction, { winner, position, thing, userKey }: Found): Claims {
  const issuedAtMs = auction.decidedAt.getTime()
  return {
    kind: 'event',
    decisionId: auction.id,
    position,
    utcDay: dayNumber(auction.decidedOn),
    budgetDay: budgetDayOf(thing.timeZone, issuedAtMs),
    winner: keysOf(winner),
    placementKey: auction.placementId === null ? undefined : Number(auction.placementId),
    siteKey: auction.siteId === null ? undefined : Number(auction.siteId),
    userKey,
    pricing: winner.pricing,
    chargeMicros: winner.chargeMicros,
    reservationId: undefined,
    holdId: undefined,
    issuedAtMs,
  }
}

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS

const winnerOf = ({ adId, bannerId, campaignId, advertiserId }: NamedThing): WinnerKeys => ({
  source: adId === null ? 'banner' : 'ad',
  key: Number(adId ?? bannerId),
  bannerKey: Number(bannerId),
  campaignKey: campaignId === null ? undefined : Number(campaignId),
  advertiserKey: Number(advertiserId),
})

/** What of an advertiser a user was shown, newest first. */
export async function listShowingsOf(
  db: Database,
  { advertiserKey, ...query }: TouchQuery,
): Promise<Showing[]> {
  const auctions = await listAuctionsOfUser(db, { ...query, limit: AUCTIONS_MAX })
  return auctions.flatMap(({ id, decidedOn, winners }) =>
    unpackWinners(winners).flatMap((winner, position) =>
      winner.advertiserKey === advertiserKey
        ? [{ decisionId: id, decisionDay: dayNumber(decidedOn), position }]
        : [],
    ),
  )
}

const ALL_MAX = 100_000

/** Everything that the user was shown, of any advertiser. */
export async function listShowingsOfUser(db: Database, userKey: string): Promise<Showing[]> {
  const auctions = await listAllAuctionsOfUser(db, userKey, ALL_MAX)
  return auctions.flatMap(({ id, decidedOn, winners }) =>
    winners.map((_, position) => ({
      decisionId: id,
      decisionDay: dayNumber(decidedOn),
      position,
    })),
  )
}

/** Records stay and name nobody; segments go from every node. */
export async function forgetUser(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  userKey: string,
): Promise<{ decisions: number; segments: number }> {
  const segments = await emptySegments(db, userKey, clock.now())
  return { decisions: await eraseUserFromAuctions(db, userKey), segments }
}
