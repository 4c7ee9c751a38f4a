import { pino } from 'pino'
import type { Connection } from '../../platform/database/connect.ts'
import { createHttp } from '../../platform/http/server.ts'
import { Problem } from '../../platform/problem.ts'
import { createRow, type Actor, type Values } from '../../platform/resources/index.ts'
import { actorOf, addAccount, depsOn, type TestDeps } from '../../testing/world.ts'
import { banners } from '../creatives/tables.ts'
import { placements, publishers, sites, slots } from '../inventory/tables.ts'
import type { CampaignDeps, CampaignStateChanged } from './operations-campaigns.ts'
import { campaignRoutes } from './routes.ts'
import { ad, adSet, advertiser, campaign } from './resources.ts'

export type MarketDeps = TestDeps & CampaignDeps & { readonly published: CampaignStateChanged[] }

/** An advertiser with a user who acts for it, and functions that add what a test needs. */
export interface Market {
  readonly deps: MarketDeps
  readonly actor: Actor
  readonly advertiserId: string
  addCampaign(body?: Values): Promise<string>
  /** An ad in an ad set of its own. */
  addAd(campaignId: string, body?: Values): Promise<{ adId: string; adSetId: string }>
  addBanner(): Promise<{ publicId: string; id: bigint }>
}

export async function marketOn(connection: Connection): Promise<Market> {
  const published: CampaignStateChanged[] = []
  const events = {
    campaignStateChanged: async (_db: unknown, event: CampaignStateChanged) =>
      void published.push(event),
  }
  return addMarket({ ...depsOn(connection), events, published })
}

/** Another advertiser, with its own account, in the same world. */
export async function addMarket(deps: MarketDeps): Promise<Market> {
  const account = await addAccount(deps, 'advertiser')
  const actor = actorOf(account)
  const make = async (resource: Parameters<typeof createRow>[1], body: Values) =>
    String((await createRow(deps, resource, { body, actor })).publicId)

  const body = { accountId: account.publicId, name: 'Northwind', currency: 'EUR', contact: 'Ida' }
  const buyer = await createRow(deps, advertiser, { body, actor })
  const market: Market = {
    deps,
    actor,
    advertiserId: String(buyer.publicId),
    addCampaign: (body) =>
      make(campaign, {
        advertiserId: market.advertiserId,
        name: 'Autumn',
        maxBidMicros: '99000000',
        ...body,
      }),
    async addAd(campaignId, body) {
      const { publicId: bannerId } = await market.addBanner()
      const adSetId = await make(adSet, { campaignId, name: 'Everybody' })
      const adId = await make(ad, { adSetId, bannerId, name: 'Red', bidMicros: '1000000', ...body })
      return { adId, adSetId }
    },
    addBanner: () => addBanner(deps, buyer as { id: bigint; accountId: bigint }),
  }
  return market
}

async function addBanner(deps: MarketDeps, owner: { id: bigint; accountId: bigint }) {
  const [banner] = await deps.db
    .insert(banners)
    .values({
      ...newRowOf(deps),
      accountId: owner.accountId,
      advertiserId: owner.id,
      title: 'Red shoes',
      primaryImageUrl: 'https://shop.example/red.png',
    })
    .returning({ publicId: banners.publicId, id: banners.id })
  return banner!
}

/** A placement of a publisher's account, shown in a slot of a site. */
export async function addShownPlacement(deps: MarketDeps, slug = 'home-top') {
  const { id: accountId } = await addAccount(deps, 'publisher')
  const base = () => ({ ...newRowOf(deps), accountId })
  const [publisher] = await deps.db
    .insert(publishers)
    .values({ ...base(), name: 'Gazette', currency: 'EUR' })
    .returning({ id: publishers.id })
  const publisherId = publisher!.id
  const [site] = await deps.db
    .insert(sites)
    .values({ ...base(), publisherId, name: 'Gazette', domain: `${slug}.example` })
    .returning({ id: sites.id, publicId: sites.publicId })
  const [placement] = await deps.db
    .insert(placements)
    .values({ ...base(), publisherId, slug, label: 'Top', layoutType: 'full_static' })
    .returning({ id: placements.id, publicId: placements.publicId })
  await deps.db.insert(slots).values({
    ...base(),
    siteId: site!.id,
    placementId: placement!.id,
    name: 'Top',
    width: 970,
    height: 250,
  })
  return { placementId: placement!.publicId, siteId: site!.publicId, siteKey: site!.id }
}

function newRowOf({ ids, clock }: MarketDeps) {
  const now = clock.now()
  return { publicId: ids.next(), createdAt: now, updatedAt: now }
}

/** The code of the Problem that an attempt fails with. */
export async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof Problem) return error.kind.code
    throw error
  }
  return 'not refused'
}

const FAMILIES = ['advertisers', 'campaigns', 'assignments', 'targeting', 'caps']

/** The routes as the actor sees them, without a port. */
export async function httpFor({ deps, actor }: Pick<Market, 'deps' | 'actor'>) {
  const permissions = new Set(FAMILIES.flatMap((family) => [`${family}:read`, `${family}:write`]))
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: deps.ids,
    trustedProxies: [],
    permitsPerMinute: 10_000,
    identify: async () => ({ ...actor.principal, permissions }),
  })
  campaignRoutes(http, deps)
  return http
}
