import { micros } from '@placard/money'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, vi } from 'vitest'
import {
  ads,
  adSets,
  advertisers,
  bannerAssignments,
  campaignPlacements,
  campaigns,
} from '../../capabilities/campaigns/tables.ts'
import { banners } from '../../capabilities/creatives/tables.ts'
import {
  plainBudgets,
  plainCounters,
  plainReaders,
  plainRecorder,
} from '../../capabilities/decisions/serving/testing-ports.ts'
import {
  loadPublishers,
  publishersSubscriber,
} from '../../capabilities/decisions/readers/publishers-feed.ts'
import { Publishers } from '../../capabilities/decisions/readers/publishers.ts'
import { placements, publishers, sites, slots } from '../../capabilities/inventory/tables.ts'
import { createSealer, parseKeyRing } from '../../capabilities/tracking/index.ts'
import type { DecisionPorts } from '../../capabilities/decisions/module.ts'
import { composeDeciding } from '../../compose/serving.ts'
import type { ChangeFollower, ChangeSubscriber } from '../../platform/changes/changes.ts'
import type { Database } from '../../platform/database/connect.ts'
import { cursorNow } from '../../platform/database/ordered-feed.ts'
import { followersOf, mountRoutes } from '../../platform/modules.ts'
import { createHttp } from '../../platform/http/server.ts'
import type { Timers } from '../../platform/background/timers.ts'
import { type AtEnd, freshDatabase } from '../services/database.ts'
import { testBase } from '../server.ts'
import { actorOf, addAccount, depsOn, type TestDeps } from '../world.ts'

type Insert<Table extends { $inferInsert: object }> = Partial<Table['$inferInsert']>
type Row = { readonly id: bigint; readonly publicId: string }

/** An advertiser and a publisher without anything yet, and functions to add what a test needs. */
export async function aServingWorld(atEnd?: AtEnd) {
  const connection = await freshDatabase(undefined, atEnd)
  const deps = depsOn(connection)
  const seller = await addAccount(deps, 'publisher')
  const buyer = await addAccount(deps, 'advertiser')
  const { db } = deps
  const [publisher] = await db
    .insert(publishers)
    .values({ ...newRow(deps, seller), name: 'Gazette', currency: 'EUR' })
    .returning()
  const [advertiser] = await db
    .insert(advertisers)
    .values({ ...newRow(deps, buyer), name: 'Northwind', currency: 'EUR' })
    .returning()
  return {
    ...connection,
    deps,
    seller,
    buyer,
    publisher: publisher!,
    advertiser: advertiser!,
    ...selling(deps, { seller, publisherId: publisher!.id }),
    ...buying(deps, { buyer, advertiserId: advertiser!.id }),
  }
}

export type ServingWorld = Awaited<ReturnType<typeof aServingWorld>>

export function newRow({ ids, clock }: TestDeps, account: { readonly id: bigint }) {
  const now = clock.now()
  return { publicId: ids.next(), accountId: account.id, createdAt: now, updatedAt: now }
}

interface Seller {
  readonly seller: { readonly id: bigint }
  readonly publisherId: bigint
}

function selling(deps: TestDeps, { seller, publisherId }: Seller) {
  const { db } = deps
  return {
    addPublisher: async (given: Insert<typeof publishers> = {}) => {
      const values = { ...newRow(deps, seller), name: 'Herald', currency: 'EUR', ...given }
      return one(await db.insert(publishers).values(values).returning())
    },
    async addPlacement(given: Insert<typeof placements> = {}) {
      const own = { publisherId, slug: 'home-top', label: 'Top', layoutType: 'full_static' }
      const values = { ...newRow(deps, seller), ...own, ...given }
      return one(await db.insert(placements).values(values).returning())
    },
    /** A site of a proven domain, by default without creative approval. */
    async addSite(given: Insert<typeof sites> = {}) {
      const proof = { domainProvenAt: deps.clock.now(), domainProvenBy: 'operator' } as const
      const own = { publisherId, name: 'Gazette', domain: 'gazette.example', ...proof }
      const values = { ...newRow(deps, seller), ...own, approvalRequired: false, ...given }
      return one(await db.insert(sites).values(values).returning())
    },
    async addSlot(site: Row, placement: Row, size = { width: 300, height: 250 }) {
      const own = { siteId: site.id, placementId: placement.id, name: 'Slot', ...size }
      return one(
        await db
          .insert(slots)
          .values({ ...newRow(deps, seller), ...own })
          .returning(),
      )
    },
  }
}

interface Buyer {
  readonly buyer: { readonly id: bigint }
  readonly advertiserId: bigint
}

function buying(deps: TestDeps, { buyer, advertiserId }: Buyer) {
  const { db } = deps
  const row = () => newRow(deps, buyer)
  const addBanner = async (given: Insert<typeof banners> = {}) => {
    const own = { advertiserId, title: 'Red shoes', primaryImageUrl: 'https://cdn.example/red.png' }
    return one(
      await db
        .insert(banners)
        .values({ ...row(), ...own, ...given })
        .returning(),
    )
  }
  const addCampaign = async (given: Insert<typeof campaigns> = {}) => {
    const own = { advertiserId, name: 'Autumn', status: 'active', source: 'sponsored' } as const
    return one(
      await db
        .insert(campaigns)
        .values({ ...row(), ...own, ...given })
        .returning(),
    )
  }
  const addCampaignPlacement = async (campaign: Row, placement: Row) => {
    const values = { campaignId: campaign.id, placementId: placement.id }
    await db.insert(campaignPlacements).values({ ...values, createdAt: deps.clock.now() })
  }
  /** An ad in a new ad set, with its own banner. */
  const addAd = async (campaign: Row, bid: bigint, banner?: Row) => {
    const parent = { campaignId: campaign.id, name: 'Everybody' }
    const adSet = one(
      await db
        .insert(adSets)
        .values({ ...row(), ...parent })
        .returning(),
    )
    const bannerId = (banner ?? (await addBanner())).id
    const own = { ...parent, adSetId: adSet.id, bannerId, bidMicros: micros(bid) }
    return one(
      await db
        .insert(ads)
        .values({ ...row(), ...own })
        .returning(),
    )
  }
  return {
    book: (booking: Booking) => book(deps, booking),
    addAdvertiser: async (given: Insert<typeof advertisers> = {}) => {
      const values = { ...row(), name: 'Southwind', currency: 'EUR', ...given }
      return one(await db.insert(advertisers).values(values).returning())
    },
    addBanner,
    addCampaign,
    addCampaignPlacement,
    addAd,
    /** A campaign with one ad, booked on the placement. */
    async addBidder(placement: Row, bid: bigint, given: Insert<typeof campaigns> = {}) {
      const campaign = await addCampaign(given)
      await addCampaignPlacement(campaign, placement)
      return { campaign, ad: await addAd(campaign, bid) }
    },
    /** A campaign whose banner is booked on the placement. */
    async addBooking(placement: Row, given: Booked = {}, rate = 0n) {
      const campaign = await addCampaign({ maxBidMicros: micros(rate) })
      await addCampaignPlacement(campaign, placement)
      const { banner: shown, ...booked } = given
      const banner = await addBanner(shown)
      await book(deps, { campaign, placement, banner, ...booked })
      return { campaign, banner }
    },
  }
}

interface Booking extends Insert<typeof bannerAssignments> {
  readonly campaign: Row
  readonly placement: Row
  readonly banner: Row
}

/** Books the banner on the placement for the campaign. */
async function book(deps: TestDeps, { campaign, placement, banner, ...booked }: Booking) {
  const now = deps.clock.now()
  const keys = { campaignId: campaign.id, placementId: placement.id, bannerId: banner.id }
  const values = { ...keys, createdAt: now, updatedAt: now, ...booked }
  await deps.db.insert(bannerAssignments).values(values)
}

type Booked = Insert<typeof bannerAssignments> & { readonly banner?: Insert<typeof banners> }

const one = <Value>([row]: readonly Value[]): Value => row!

export interface ServingOptions {
  readonly ports?: Partial<DecisionPorts>
  /** Further followers of the change feed. */
  readonly followers?: readonly ChangeSubscriber[]
  readonly timers?: Timers
  /** For routes that are limited, unlike those that serve. */
  readonly permitsPerMinute?: number
}

/** The serving routes over a catalogue that follows the real change feed, without a port. */
export async function startServing(world: ServingWorld, options: ServingOptions = {}) {
  const { deps, db } = world
  const [budgets, counters, recorder] = [plainBudgets(), plainCounters(), plainRecorder()]
  const sealer = createSealer(parseKeyRing(`1:${'s'.repeat(40)}`), deps.random)
  const { timers, followers = [], permitsPerMinute = 1 } = options
  const { base } = await testBase(world, { deps, ...(timers && { timers }) })
  const stack = new AsyncDisposableStack()
  onTestFinished(() => stack.disposeAsync())
  const from = await cursorNow(db)
  const publishers = new Publishers()
  await loadPublishers(db, publishers)
  const plain = { budgets, counters, recorder, sealer, readers: plainReaders, publishers }
  const deciding = await composeDeciding(base, { ...plain, ...options.ports }, stack)
  const readers = { name: 'readers', followers: [publishersSubscriber(db, publishers)] }
  const modules = [...deciding.modules, readers, { name: 'others', followers }]
  const follower = followersOf(modules, { ...base, from })
  stack.defer(() => follower.stop())

  let permissions: readonly string[] | undefined
  let account: { id: bigint; kind: string } = { id: 1n, kind: 'platform' }
  const { log, metrics } = base
  const http = await createHttp({
    log,
    metrics,
    ids: deps.ids,
    trustedProxies: [],
    permitsPerMinute,
    identify: async () => permissions && actorOf(account, permissions).principal,
  })
  await mountRoutes(http, modules)
  await http.ready()
  onTestFinished(() => http.close())

  return {
    http,
    serving: deciding,
    budgets,
    counters,
    recorder,
    metrics,
    /** Permissions of the next callers with a key. */
    allow: (...given: readonly string[]) => void (permissions = given),
    /** Account of the next callers. */
    comeFrom: (given: { id: bigint; kind: string }) => void (account = given),
    serveSlug: (slug = 'home-top', headers = {}) =>
      http.inject({ url: `/api/v1/banners/serve/${slug}`, headers }),
    serveAd: (payload: object = {}, headers = {}) =>
      http.inject({ method: 'POST', url: '/api/v1/ads/serve', payload, headers }),
    servePage: (site: Row, slots: readonly string[], more = {}) =>
      http.inject({
        method: 'POST',
        url: `/api/v1/sites/${site.publicId}/serve`,
        payload: {
          url: 'https://gazette.example/',
          slots: slots.map((placement) => ({ placement })),
          ...more,
        },
      }),
    untilApplied: () => untilApplied(db, follower),
  }
}

/** Waits until everything committed by now has been applied. */
async function untilApplied(db: Database, follower: ChangeFollower): Promise<void> {
  const { rows } = await db.execute<{ xid: string; id: string }>(
    sql`select xid, id from changes order by xid desc, id desc limit 1`,
  )
  const [last] = rows
  if (!last) return
  await vi.waitFor(
    () => {
      const { xid, id } = follower.cursor()
      const isPast = xid > BigInt(last.xid) || (xid === BigInt(last.xid) && id >= BigInt(last.id))
      expect(isPast).toBe(true)
    },
    { timeout: 20_000, interval: 2 },
  )
}
