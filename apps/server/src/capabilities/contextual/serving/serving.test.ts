import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { startServing } from '../../../testing/serving-world.ts'
import { openServeIndex, queueUnknownPages } from './serve-index.ts'
import { PAGE_LIFE_MS } from '../pages/page.ts'
import { aContextualWorld, ALCOHOL, SPORTS, WINE } from '../../../testing/contextual-world.ts'

async function served(given: object = {}) {
  const world = await aContextualWorld(given)
  await world.auction()
  const index = await openServeIndex(world.deps)
  const ports = { shortlists: index.memory, subscribers: [index.subscriber] }
  const serving = await startServing(world, { ports })
  const ask = async (url: string) => {
    const answer = await serving.servePage(world.site, ['home-top'], { url })
    return answer.statusCode === 204
      ? undefined
      : (answer.json().slots[0].banners[0]?.adPublicId as string | undefined)
  }
  return { ...world, ...serving, index, ask }
}

describe('a page call', () => {
  test('a page about food shows food, although sport bids more', async () => {
    const { ask, food, sport, pages } = await served()

    expect(await ask(pages.food)).toBe(food.ad.publicId)
    expect(await ask(pages.sport)).toBe(sport.ad.publicId)
  })

  test('tracking parameters and fragments make no other page', async () => {
    const { ask, food, pages } = await served()

    expect(await ask(`${pages.food}?utm_source=mail#comments`)).toBe(food.ad.publicId)
  })

  test('how likely the choice was is recorded', async () => {
    const { ask, pages, recorder } = await served()
    await ask(pages.food)

    expect(recorder.records[0]!.decision.winners[0]!.propensity).toBe(1)
  })

  test('a page that nobody knows falls back to the ordinary decision, and is read once', async () => {
    const { ask, sport, index, db, deps } = await served()
    const url = 'https://gazette.example/new'

    expect(await ask(url)).toBe(sport.ad.publicId)
    expect(await ask(url)).toBe(sport.ad.publicId)
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

  test('what was said of a page more than 48 hours ago is not served by', async () => {
    const { ask, sport, pages, deps, db } = await served()
    await db.execute(sql`update serve_index set expires_at = expires_at + interval '9 days'`)
    deps.clock.advance(PAGE_LIFE_MS + 1)

    expect(await ask(pages.food)).toBe(sport.ad.publicId)
  })

  test.each([WINE, ALCOHOL])(
    'with %s blocked wine is gone from the next answer',
    async (blocked) => {
      const { ask, food, sport, pages, db, site, untilApplied, watcher, auction } = await served()
      await db.execute(
        sql`update campaigns set ad_product_category = ${WINE} where id = ${food.campaign.id}`,
      )
      await auction()
      await untilApplied()
      expect(await ask(pages.food)).toBe(food.ad.publicId)

      await db.execute(sql`insert into site_ad_product_blocks (site_id, ad_product_category, created_at)
                         values (${site.id}, ${blocked}, now())`)
      await untilApplied()
      expect(await ask(pages.food)).toBe(sport.ad.publicId)
      expect(watcher).toBeDefined()
    },
  )

  test('a paused campaign is not shown, whatever the index still says', async () => {
    const { ask, food, sport, pages, db, untilApplied } = await served()
    await db.execute(sql`update campaigns set status = 'paused' where id = ${food.campaign.id}`)
    await untilApplied()

    expect(await ask(pages.food)).toBe(sport.ad.publicId)
  })

  test('a reservation that is refused lets the next best try', async () => {
    const { ask, food, sport, pages, budgets } = await served()
    budgets.refusing.add(Number(food.campaign.id))

    expect(await ask(pages.food)).toBe(sport.ad.publicId)
  })

  test('a corrected page is served by what the person said', async () => {
    const { ask, sport, pages, db, auction, untilApplied } = await served()
    await db.execute(sql`update page_categories set category_id = ${SPORTS}
      where page_id = (select id from pages where url = ${pages.food})`)
    await auction()
    await untilApplied()

    expect(await ask(pages.food)).toBe(sport.ad.publicId)
  })
})
