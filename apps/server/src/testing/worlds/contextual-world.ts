import { sql } from 'drizzle-orm'
import { seededDraws } from '@placard/learning'
import type { Jobs } from '../../platform/jobs/job.ts'
import { aServingWorld } from './serving-world.ts'
import {
  appendBanner,
  type AuctionDeps,
  auctionSite,
} from '../../capabilities/contextual/auction/operations-auction.ts'
import {
  openAdProducts,
  openContentTaxonomy,
} from '../../capabilities/contextual/classify/reference-data.ts'
import { saveJudged, notePages } from '../../capabilities/contextual/pages/store-pages.ts'
import type { MatrixEvent } from '../../capabilities/contextual/auction/matrix.ts'
import { ReauctionWatcher } from '../../capabilities/contextual/auction/watcher.ts'

export const FOOD_AND_DRINK = '210'
export const SPORTS = '483'
export const CARS = '1'
/** A child category of sports. */
export const SOCCER = '533'
/** Ad products about wine, and about sports. */
export const ALCOHOL = '1002'
export const WINE = '1007'

/** A site with a page about food, one about sports, and a buyer for each. */
export async function aContextualWorld(given: object = {}) {
  const world = await aServingWorld()
  const { db, deps } = world
  const site = await world.addSite(given)
  const placement = await world.addPlacement({ mode: 'auction' })
  await world.addSlot(site, placement)
  const food = await world.addBidder(placement, 4_000_000n, { categories: [FOOD_AND_DRINK] })
  const sport = await world.addBidder(placement, 9_000_000n, { categories: [SPORTS] })

  const addPage = async (path: string, categoryId: string) => {
    const url = `https://gazette.example${path}`
    const now = deps.clock.now()
    await notePages(db, { site, found: [{ url, depth: 0 }], ids: deps.ids, now })
    const { rows } = await db.execute<{ id: string }>(sql`select id from pages where url = ${url}`)
    await db.execute(sql`update pages set state = 'read' where url = ${url}`)
    const categories = [{ categoryId, confidence: 0.9 }]
    await saveJudged(db, BigInt(rows[0]!.id), { categories, classifier: 'test', now })
    return url
  }
  const auctionDeps = {
    db,
    clock: deps.clock,
    draws: seededDraws(1),
    taxonomy: openContentTaxonomy(),
    ...openAdProducts(),
  }
  const pages = {
    food: await addPage('/soup', FOOD_AND_DRINK),
    sport: await addPage('/cup', SPORTS),
  }
  return {
    ...world,
    site,
    placement,
    food,
    sport,
    pages,
    addPage,
    auctionDeps,
    auction: (campaigns?: readonly number[]) =>
      auctionSite(auctionDeps, { siteId: site.id, campaigns }),
    /** Ads on the page's shortlist, in order. */
    async standing(url: string) {
      const { rows } = await db.execute<{ candidates: Record<string, StandingAd[]> }>(
        sql`select candidates from serve_index where url = ${url}`,
      )
      return rows[0]?.candidates[Number(placement.id)] ?? []
    },
    ...(await watching(world, auctionDeps)),
  }
}

interface StandingAd {
  readonly adKey: number
  readonly cpmMicros: number
  readonly untilMs?: number
}

/** A watcher after its first look, and what it has ordered since. */
async function watching(
  { db, deps }: Awaited<ReturnType<typeof aServingWorld>>,
  auctionDeps: AuctionDeps,
) {
  const ordered: { siteKey: string; campaigns?: number[] }[] = []
  const events: MatrixEvent[] = []
  const enqueue: Jobs['enqueue'] = async (_db, _job, { payload }) => {
    ordered.push(payload)
    return 'ordered'
  }
  const { clock } = deps
  const watcher = new ReauctionWatcher({
    db,
    clock,
    jobs: { enqueue },
    append: (siteKey, bannerKey) =>
      appendBanner(auctionDeps, { siteId: BigInt(siteKey), bannerKey }),
    onEvent: (event) => void events.push(event),
  })
  let seen = 0n
  const readChanges = async () => {
    const { rows } = await db.execute(
      sql`select id, entity, entity_id, operation from changes where id > ${seen} order by id`,
    )
    seen = BigInt((rows.at(-1)?.['id'] as string) ?? seen)
    return rows.map((row) => ({
      entity: row['entity'] as string,
      entityId: BigInt(row['entity_id'] as string),
      operation: row['operation'] as 'update',
      changedAt: clock.now(),
    }))
  }
  return {
    ordered,
    events,
    watcher,
    /** The first look. */
    async look() {
      await readChanges()
      await watcher.load()
    },
    /** Lets the watcher see the changes since. */
    async notice() {
      ordered.length = 0
      events.length = 0
      await watcher.onChanges(await readChanges())
      await watcher.checkBudgets()
    },
  }
}
