import { ALLOWED } from '../../consent/index.ts'
import { seededDraws } from '@placard/decision-engine'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type ServingOptions, startServing } from '../../../testing/worlds/serving-world.ts'
import { ServeMemory } from './serve-memory.ts'
import { openServeIndex, queueUnknownPages } from './serve-index.ts'
import { PAGE_LIFE_MS } from '../pages/page.ts'
import {
  aContextualWorld,
  ALCOHOL,
  CARS,
  SOCCER,
  SPORTS,
  WINE,
} from '../../../testing/worlds/contextual-world.ts'

async function served(given: object = {}, more: ServingOptions['ports'] = {}) {
  const world = await aContextualWorld(given)
  await world.auction()
  const index = await openServeIndex(world.deps)
  const ports = { pages: index.memory, ...more }
  const serving = await startServing(world, { ports, followers: [index.subscriber] })
  const ask = async (url: string) => {
    const answer = await serving.servePage(world.site, ['home-top'], { url })
    return answer.statusCode === 204
      ? undefined
      : (answer.json().slots[0].banners[0]?.adPublicId as string | undefined)
  }
  return { ...world, ...serving, index, ask }
}

describe('a page call', () => {
  test('a page about food shows a food ad, although sport bids more', async () => {
    const { ask, food, sport, pages } = await served()

    expect(await ask(pages.food)).toBe(food.ad.publicId)
    expect(await ask(pages.sport)).toBe(sport.ad.publicId)
  })

  test('tracking parameters and fragments do not make another page', async () => {
    const { ask, food, pages } = await served()

    expect(await ask(`${pages.food}?utm_source=mail#comments`)).toBe(food.ad.publicId)
  })

  test('the propensity of the choice is recorded', async () => {
    const { ask, pages, recorder } = await served()
    await ask(pages.food)

    expect(recorder.records[0]!.decision.winners[0]!.propensity).toBe(1)
  })

  test('a campaign with categories never runs on pages without them: the slot stays empty', async () => {
    const { ask, addPage, auction, untilApplied } = await served()
    const url = await addPage('/cars', CARS)
    await auction()
    await untilApplied()

    for (let call = 0; call < 10; call++) expect(await ask(url)).toBeUndefined()
  })

  test('run-of-site at 15.00 beats a relevant bid of 0.50, in 20 of 20 calls', async () => {
    const { ask, pages, food, addBidder, placement, db, auction, untilApplied } = await served()
    const dear = await addBidder(placement, 15_000_000n)
    await db.execute(sql`update ads set bid_micros = 500000 where id = ${food.ad.id}`)
    await auction()
    await untilApplied()

    for (let call = 0; call < 20; call++) expect(await ask(pages.food)).toBe(dear.ad.publicId)
  })

  test('relevance decides between close bids, and the winner pays what the other bid was worth', async () => {
    const { ask, pages, food, addBidder, placement, untilApplied, recorder } = await served()
    await addBidder(placement, 5_000_000n)
    await untilApplied()

    expect(await ask(pages.food)).toBe(food.ad.publicId)
    const [winner] = recorder.records.at(-1)!.decision.winners
    expect(winner!.score / winner!.secondScore!).toBeGreaterThan(1)
    expect(winner!.chargeMicros).toBeLessThanOrEqual(4_000_000)
    expect(winner!.chargeMicros).toBeGreaterThan(4_000_000 / 2)
  })

  test('campaigns with categories run on unknown pages only if they say so', async () => {
    const { ask, sport, db, untilApplied } = await served()
    const url = 'https://gazette.example/new'
    expect(await ask(url)).toBeUndefined()

    await db.execute(
      sql`update campaigns set runs_on_unknown_pages = true where id = ${sport.campaign.id}`,
    )
    await untilApplied()
    expect(await ask(url)).toBe(sport.ad.publicId)
  })

  test.each([
    [[SOCCER], 1],
    [[CARS], 0],
    [undefined, 0],
  ])(
    'by a slug, with %s said of the page, the sports campaign wins %i slots',
    async (categories, count) => {
      const readerOf = () => ({
        userKey: undefined,
        publisherKey: undefined,
        deviceSessionId: undefined,
        permissions: ALLOWED,
        holder: undefined,
        context: { categories },
      })
      const { serveSlug } = await served({}, { readers: { readerOf } })

      expect((await serveSlug()).json().banners).toHaveLength(count)
    },
  )

  test('the explanation of a page names the same winner, its score, and the ads that are on the wrong page', async () => {
    const { pages, food, sport, placement, site, servePage, recorder, serving, deps } =
      await served()
    await servePage(site, ['home-top'], { url: pages.food })
    const { decision, context } = recorder.records.at(-1)!
    expect(context.page).toBe(pages.food)

    const question = {
      placementKey: Number(placement.id),
      placementType: 'banner',
      decidedAt: deps.clock.now(),
      userKey: undefined,
      context: {},
      floorMicros: undefined,
      bannersMax: undefined,
      seed: 1,
      adKey: Number(sport.ad.id),
    }
    const page = { siteKey: Number(site.id), url: pages.food }
    const explained = await serving.explainer.explain({ ...question, page })

    expect(explained.decision.winners).toMatchObject([
      { key: Number(food.ad.id), score: decision.winners[0]!.score },
    ])
    expect(explained.requirements!.obstacles).toEqual(['category'])
  })

  test('an unknown page gets the ordinary decision, and is read once', async () => {
    const { ask, addBidder, placement, index, db, deps, untilApplied } = await served()
    const anywhere = await addBidder(placement, 1_000_000n)
    await untilApplied()
    const url = 'https://gazette.example/new'

    expect(await ask(url)).toBe(anywhere.ad.publicId)
    expect(await ask(url)).toBe(anywhere.ad.publicId)
    const ordered: unknown[] = []
    const enqueue = async (_: unknown, __: unknown, { payload }: { payload: unknown }) =>
      String(ordered.push(payload))
    const jobs = { enqueue } as never
    await queueUnknownPages({ ...deps, db }, jobs, index.memory.takeUnknown())
    await ask(url)
    await queueUnknownPages({ ...deps, db }, jobs, index.memory.takeUnknown())

    expect(ordered).toHaveLength(1)
    const { rows } = await db.execute(sql`select state from pages where url = ${url}`)
    expect(rows).toEqual([{ state: 'waiting' }])
  })

  test('pages that strangers make up of one publisher leave room for those of another', async () => {
    const memory = new ServeMemory()
    const rules = (domain: string, accountKey: number) => ({
      domain,
      accountKey,
      keepUrlQueries: true,
    })
    memory.putRules(1, rules('gazette.example', 10))
    memory.putRules(2, rules('gazette.example', 10))
    memory.putRules(3, rules('tribune.example', 20))
    const open = (siteKey: number, url: string) =>
      memory.find({ siteKey, url, nowMs: 0, isDry: false, draws: seededDraws(1) })
    for (let made = 0; made < 20_000; made++) {
      open(1 + (made % 2), `https://gazette.example/?made=${made}`)
    }
    open(3, 'https://tribune.example/news')

    const taken = memory.takeUnknown()
    expect(taken).toHaveLength(1_001)
    expect(taken.at(-1)).toEqual({ siteKey: 3, url: 'https://tribune.example/news' })
    expect(memory.takeUnknown()).toEqual([])
  })

  test('a site whose pages cannot be queued leaves the others theirs', async () => {
    const { db, deps, site, addSite } = await served()
    const other = await addSite({ domain: 'tribune.example' })
    const jobs = { enqueue: async () => 'job' } as never
    const unknown = [
      { siteKey: Number(site.id), url: 'https://gazette.example/\u0000' },
      { siteKey: Number(other.id), url: 'https://tribune.example/late' },
    ]

    await expect(queueUnknownPages({ ...deps, db }, jobs, unknown)).rejects.toThrow('insert into')

    const { rows } = await db.execute(sql`select url from pages where site_id = ${other.id}`)
    expect(rows).toEqual([{ url: 'https://tribune.example/late' }])
  })

  test('categories older than 48 hours are not used', async () => {
    const { ask, pages, deps, db } = await served()
    await db.execute(sql`update serve_index set expires_at = expires_at + interval '9 days'`)
    deps.clock.advance(PAGE_LIFE_MS + 1)

    expect(await ask(pages.food)).toBeUndefined()
  })

  test.each([WINE, ALCOHOL])(
    'with %s blocked wine is gone from the next answer',
    async (blocked) => {
      const { ask, food, pages, db, site, untilApplied, watcher, auction } = await served()
      await db.execute(
        sql`update campaigns set ad_product_category = ${WINE} where id = ${food.campaign.id}`,
      )
      await auction()
      await untilApplied()
      expect(await ask(pages.food)).toBe(food.ad.publicId)

      await db.execute(sql`insert into site_ad_product_blocks (site_id, ad_product_category, created_at)
                         values (${site.id}, ${blocked}, now())`)
      await untilApplied()
      expect(await ask(pages.food)).toBeUndefined()
      expect(watcher).toBeDefined()
    },
  )

  test('a paused campaign is not shown, whatever the index still says', async () => {
    const { ask, food, pages, db, untilApplied } = await served()
    await db.execute(sql`update campaigns set status = 'paused' where id = ${food.campaign.id}`)
    await untilApplied()

    expect(await ask(pages.food)).toBeUndefined()
  })

  test('a refused reservation leaves the slot to the next best, or empty', async () => {
    const { ask, food, pages, budgets } = await served()
    budgets.refusing.add(Number(food.campaign.id))

    expect(await ask(pages.food)).toBeUndefined()
  })

  test('a corrected page is served by the correction', async () => {
    const { ask, sport, pages, db, auction, untilApplied } = await served()
    await db.execute(sql`update page_categories set category_id = ${SPORTS}
      where page_id = (select id from pages where url = ${pages.food})`)
    await auction()
    await untilApplied()

    expect(await ask(pages.food)).toBe(sport.ad.publicId)
  })
})
