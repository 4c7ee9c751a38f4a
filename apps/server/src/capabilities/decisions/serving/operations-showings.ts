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
import type { RequestReaders } from '../readers/reader-of-request.ts'
import { keysOf } from './links.ts'
import { type RecordedWinner, unpackWinners } from '../records/record-line.ts'
import {
  findAdThing,
  findAssignmentUrl,
  findBannerTarget,
  findBannerThing,
  findBooking,
  findPlacement,
  listAllAuctionsOfReaders,
  listAuctionsOfUser,
  type NamedPlacement,
  type NamedThing,
  type UserAuction,
} from './reads-showings.ts'
import { eraseReadersFromAuctions } from '../records/store-auctions.ts'
import { ownPublisher, type Publishers } from '../readers/publishers.ts'
import { emptyReaders } from '../readers/store-known-readers.ts'

export interface ShowingDeps {
  readonly db: Database
  readonly content: Content
  readonly readers: Pick<RequestReaders, 'userKeysOf' | 'sessionKeyOf' | 'addressKeyOf'>
  readonly publishers: Pick<Publishers, 'all'>
}

/** Where a click on the banner leads: from memory, or from the database if the banner is gone. */
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

/**
 * Decisions that showed this ad or banner to the reader: those with the reader's own key first,
 * then the newest.
 */
export async function findAuctionOf(deps: ShowingDeps, query: AuctionQuery): Promise<AuctionMatch> {
  const { db } = deps
  const placement = await placementOf(db, query)
  const placementKey = placement?.key
  const thing = await findThing(db, query, placementKey)
  if (thing === undefined) return { verdict: 'unknown' }

  const showings = (await auctionsOf(deps, query, placement)).flatMap((auction) => {
    if (placementKey !== undefined && Number(auction.placementId) !== placementKey) return []
    const winners = unpackWinners(auction.winners)
    return winners.flatMap((winner, position) =>
      isAbout(winner, thing) ? [claimsOf(auction, { winner, position, thing })] : [],
    )
  })
  if (showings.length > 0) return { verdict: 'matched', showings }
  return {
    verdict: 'unmatched',
    winner: winnerOf(thing),
    ...(placementKey !== undefined && { placementKey }),
  }
}

/** No decision has these keys. */
const NO_PLACEMENT: NamedPlacement = { key: -1, publisherKey: -1 }

async function placementOf(
  db: Database,
  { placementSlug: slug, placementId: publicId }: AuctionQuery,
): Promise<NamedPlacement | undefined> {
  if (slug === undefined && publicId === undefined) return undefined
  return (await findPlacement(db, { slug, publicId })) ?? NO_PLACEMENT
}

async function findThing(
  db: Database,
  { adId, bannerId = '', campaignId }: AuctionQuery,
  placementKey: number | undefined,
): Promise<NamedThing | undefined> {
  if (adId !== undefined) return findAdThing(db, adId)
  const banner = await findBannerThing(db, bannerId)
  if (banner === undefined || campaignId === undefined) return banner
  const booking = { campaignId, bannerId: banner.bannerId, placementKey }
  return { ...banner, ...(await findBooking(db, booking)) }
}

/** An event that names no placement may be of any publisher; so many are tried. */
const PUBLISHERS_TRIED_MAX = 20

/** The keys of the reader that an event names, at the publishers whose reader it may be. */
function userKeysOf(
  { readers, publishers }: ShowingDeps,
  { userId, caller }: AuctionQuery,
  placement: NamedPlacement | undefined,
): readonly string[] {
  if (userId === undefined) return []
  const publisherKey = placement?.publisherKey ?? ownPublisher(caller)
  const possible =
    publisherKey === undefined ? publishers.all.slice(0, PUBLISHERS_TRIED_MAX) : [publisherKey]
  return readers.userKeysOf(userId, possible)
}

/** Finds decisions by user or session key, then by the address within its hour. */
async function auctionsOf(
  deps: ShowingDeps,
  query: AuctionQuery,
  placement: NamedPlacement | undefined,
) {
  const { db, readers } = deps
  const { sessionId, address, fromMs, toMs } = query
  const userKeys = userKeysOf(deps, query, placement)
  const sessionKey = sessionId === undefined ? undefined : readers.sessionKeyOf(sessionId)
  const addressKeys =
    address === undefined ? [] : [fromMs, toMs].map((atMs) => readers.addressKeyOf(address, atMs))
  if (userKeys.length === 0 && sessionKey === undefined && addressKeys.length === 0) return []
  const found = await listAuctionsOfUser(db, {
    userKeys,
    sessionKey,
    addressKeys,
    fromMs,
    toMs,
    limit: AUCTIONS_MAX,
  })
  const isNamed = (auction: UserAuction) =>
    (auction.userKey !== null && userKeys.includes(auction.userKey)) ||
    (sessionKey !== undefined && auction.sessionKey === sessionKey)
  const isAnothers = (auction: UserAuction) =>
    (userKeys.length > 0 && auction.userKey !== null) ||
    (sessionKey !== undefined && auction.sessionKey !== null)
  const named = found.filter(isNamed)
  return [...named, ...found.filter((auction) => !isNamed(auction) && !isAnothers(auction))]
}

function isAbout(
  { source, key, bannerKey, campaignKey }: RecordedWinner,
  { adId, bannerId, campaignId }: NamedThing,
): boolean {
  if (adId !== null) return source === 'auction' && key === Number(adId)
  if (bannerKey !== Number(bannerId)) return false
  return campaignId === null || campaignKey === Number(campaignId)
}

interface Found {
  readonly winner: RecordedWinner
  readonly position: number
  readonly thing: NamedThing
}

function claimsOf(auction: UserAuction, { winner, position, thing }: Found): Claims {
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
    userKey: auction.userKey ?? undefined,
    pricing: winner.pricing,
    chargeMicros: winner.chargeMicros,
    reservationId: undefined,
    holdId: undefined,
    issuedAtMs,
  }
}

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS

const winnerOf = ({ adId, assignmentId, bannerId, ...thing }: NamedThing): WinnerKeys => ({
  ...(adId === null
    ? assignmentId === null
      ? { source: 'banner', key: Number(bannerId) }
      : { source: 'assignment', key: Number(assignmentId) }
    : { source: 'ad', key: Number(adId) }),
  bannerKey: Number(bannerId),
  campaignKey: thing.campaignId === null ? undefined : Number(thing.campaignId),
  advertiserKey: Number(thing.advertiserId),
})

/** What a user saw of one advertiser, newest first. */
export async function listShowingsOf(
  db: Database,
  { advertiserKey, userKey, ...range }: TouchQuery,
): Promise<Showing[]> {
  const query = { ...range, userKeys: [userKey], limit: AUCTIONS_MAX }
  const auctions = await listAuctionsOfUser(db, query)
  return auctions.flatMap(({ id, decidedOn, winners }) =>
    unpackWinners(winners).flatMap((winner, position) =>
      winner.advertiserKey === advertiserKey
        ? [{ decisionId: id, decisionDay: dayNumber(decidedOn), position }]
        : [],
    ),
  )
}

const ALL_MAX = 100_000

/** Everything that these readers saw, of all advertisers. */
export async function listShowingsOfReaders(
  db: Database,
  userKeys: readonly string[],
): Promise<Showing[]> {
  const auctions = await listAllAuctionsOfReaders(db, userKeys, ALL_MAX)
  return auctions.flatMap(({ id, decidedOn, winners }) =>
    winners.map((_, position) => ({
      decisionId: id,
      decisionDay: dayNumber(decidedOn),
      position,
    })),
  )
}

/** Removes the readers' keys from auctions and what is known of them from every node. */
export async function forgetReaders(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  userKeys: readonly string[],
): Promise<{ decisions: number; segments: number }> {
  const segments = await emptyReaders(db, userKeys, clock.now())
  return { decisions: await eraseReadersFromAuctions(db, userKeys), segments }
}
