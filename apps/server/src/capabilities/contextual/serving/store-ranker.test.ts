import { DAY_SECONDS } from '@placard/calendar'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aContextualWorld, FOOD_AND_DRINK } from '../../../testing/worlds/contextual-world.ts'
import { eventIdOf, type TrackedEvent, utcDayOf } from '../../tracking/intake/event.ts'
import { createSettler, openIngestPool } from '../../tracking/settlement/settler.ts'
import { pageKeyOf } from '../pages/page.ts'
import { deleteMinutes, listHours, listScores, addRankerFeedback } from './store-ranker.ts'

interface Shown {
  readonly count: number
  readonly clicks?: number
  readonly label?: TrackedEvent['label']
  readonly pageUrl?: string
}

/** Impressions on the food page, and the feedback from them. */
async function aLesson() {
  const world = await aContextualWorld()
  const { db, url, deps, food, site, pages, placement } = world
  const pool = openIngestPool(url, 2)
  onTestFinished(() => pool.end())
  const settler = createSettler({ pool, node: 'test', clock: deps.clock, ids: deps.ids })
  const bannerKey = Number(food.ad.bannerId)
  const showing = (label: TrackedEvent['label'], pageUrl: string): TrackedEvent => {
    const decisionId = deps.ids.next()
    const nowMs = deps.clock.now().getTime()
    return {
      kind: 'impression',
      decisionId,
      position: 0,
      eventId: eventIdOf(decisionId, 'impression', 0),
      decisionDay: utcDayOf(nowMs),
      budgetDay: utcDayOf(nowMs),
      source: 'ad',
      winnerKey: Number(food.ad.id),
      bannerKey,
      campaignKey: Number(food.campaign.id),
      advertiserKey: Number(world.advertiser.id),
      placementKey: Number(placement.id),
      siteKey: Number(site.id),
      pageKey: pageKeyOf(pageUrl),
      occurredAtMs: nowMs,
      receivedAtMs: nowMs,
      clock: 'on-time',
      label,
      pricing: 'cpm',
      chargeMicros: 0,
    }
  }
  const settle = (events: readonly TrackedEvent[]) =>
    settler.settle(events, { countsRepeats: true })
  let settled = 0
  return {
    ...world,
    bannerKey,
    async show({ count, clicks = 0, label = 'valid', pageUrl = pages.food }: Shown) {
      const shown = Array.from({ length: count }, () => showing(label, pageUrl))
      await settle(shown)
      settled++
      if (clicks === 0) return
      await settle(shown.slice(0, clicks).map((event) => clickOn(event)))
      settled++
    },
    /** Waits until everything is learned: transactions of other tests may hold the feed back. */
    learn: () =>
      vi.waitFor(
        async () => {
          await addRankerFeedback(db, deps.clock.now())
          const { rows } = await db.execute(sql`
            select count(*)::int as learned from settled_batches b, contextual_cursors c
             where c.source = 'settled' and (b.xid, b.id) <= (c.xid, c.id)`)
          expect(rows[0]!['learned']).toBe(settled)
        },
        { timeout: 20_000, interval: 5 },
      ),
    scores: async (categoryId = FOOD_AND_DRINK) =>
      (await listScores(db, { siteId: site.id, now: deps.clock.now() })).of(categoryId),
    hour: async () => (await listHours(db, deps.clock.now())).get(bannerKey),
  }
}

const clickOn = (shown: TrackedEvent): TrackedEvent => ({
  ...shown,
  kind: 'click',
  eventId: eventIdOf(shown.decisionId!, 'click', shown.position),
  occurredAtMs: shown.occurredAtMs + 60_000,
})

test('only valid traffic trains: creatives by minute, categories on this site and overall', async () => {
  const { show, learn, scores, hour } = await aLesson()
  await show({ count: 8, clicks: 2 })
  await show({ count: 50, label: 'bot' })
  await show({ count: 50, label: 'burst' })
  await learn()

  const taught = { impressions: 8, clicks: 2 }
  expect(await hour()).toMatchObject(taught)
  expect(await scores()).toMatchObject({ site: taught, everywhere: taught })
})

test('what was learned once is not learned again', async () => {
  const { show, learn, hour, db, deps } = await aLesson()
  await show({ count: 3 })
  await learn()
  await addRankerFeedback(db, deps.clock.now())

  expect(await hour()).toMatchObject({ impressions: 3, clicks: 0 })
})

test('an unclassified page trains its creative, and no category', async () => {
  const { show, learn, scores, hour } = await aLesson()
  await show({ count: 4, pageUrl: 'https://gazette.example/unread' })
  await learn()

  expect(await hour()).toMatchObject({ impressions: 4 })
  expect(await scores()).toEqual({ site: undefined, everywhere: undefined })
})

test('half of a category’s evidence fades in a week; an hour of a creative is an hour', async () => {
  const { show, learn, scores, hour, deps } = await aLesson()
  await show({ count: 8, clicks: 4 })
  await learn()
  deps.clock.advance(7 * DAY_SECONDS)
  await show({ count: 2 })
  await learn()

  expect((await scores()).site).toMatchObject({ impressions: 6, clicks: 2 })
  expect(await hour()).toMatchObject({ impressions: 2, clicks: 0 })
})

test('minutes older than an hour are deleted', async () => {
  const { show, learn, hour, db, deps } = await aLesson()
  await show({ count: 2 })
  await learn()
  await deleteMinutes(db, new Date(deps.clock.now().getTime() + 120_000))

  expect(await hour()).toBeUndefined()
})
