import { LAYOUT_TYPES } from '@placard/contract/inventory'
import { micros } from '@placard/money'
import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { useBrowser } from './testing/browser.ts'
import { aPublisher, type Publisher, untilState } from './testing/publisher.ts'

vi.setConfig({ testTimeout: 60_000 })
const POLL = { timeout: 15_000 }
const browser = useBrowser()
const SLOT = '<div data-placard="home-top" data-size="600x300"></div>'

type Placed = Awaited<ReturnType<Publisher['addPlacement']>>

/** One campaign that pays per impression, alone on its placement. */
async function addAd(publisher: Publisher, slug = 'home-top', banner: object = {}) {
  const placement = await publisher.addPlacement({ slug, mode: 'auction', type: 'feed' })
  const campaign = await addCampaignTo(publisher, placement, banner)
  await publisher.untilServed(slug)
  return { campaign, placement }
}

async function addCampaignTo(publisher: Publisher, placement: Placed, banner: object = {}) {
  const campaign = await publisher.addCampaign({
    pricing: 'cpm',
    pacingStrategy: 'Accelerated',
    budgetDailyMicros: micros(900_000_000n),
  })
  await publisher.addCampaignPlacement(campaign, placement)
  const shown = await publisher.addBanner({
    primaryImageUrl: publisher.picture,
    primaryImageAlt: 'Blue shoes',
    ctaUrl: `${publisher.origin}/landing`,
    ...banner,
  })
  await publisher.addAd(campaign, 5_000_000n, shown)
  return campaign
}

test('a slot shows its ad, whose impression and view are counted', async () => {
  const publisher = await aPublisher(browser())
  const { campaign } = await addAd(publisher)

  const { page } = await publisher.visit({ body: SLOT })

  await page.getByRole('img', { name: 'Blue shoes' }).waitFor()
  await expect
    .poll(() => publisher.delivery(campaign), POLL)
    .toMatchObject({ rendered: 1, viewable: 1 })
})

test('a click is counted and leads to the landing page of the ad', async () => {
  const publisher = await aPublisher(browser())
  const { campaign } = await addAd(publisher)
  const { page, reported } = await publisher.visit({ body: SLOT })
  await expect.poll(() => reported.map(({ kind }) => kind), POLL).toEqual(['impression', 'view'])

  await page.getByRole('img', { name: 'Blue shoes' }).click()

  await page.waitForURL('**/landing*')
  await expect.poll(() => publisher.delivery(campaign), POLL).toMatchObject({ clicked: 1 })
})

/** Adds up the layout shifts that the browser reports. */
function countShift(): void {
  Object.assign(window, { shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      ;(window as unknown as { shift: number }).shift += (
        entry as unknown as { value: number }
      ).value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

const shiftOf = (page: Page) => page.evaluate(() => (window as unknown as { shift: number }).shift)

/** The script arrives when the page is visible, as with a slow connection. */
const comeLate = (page: Page) =>
  page.route('**/tag.js', async (route) => {
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
    await route.continue()
  })

test('the page does not move when the tag or an ad arrives', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)

  const { page } = await publisher.visit({
    body: `<p>Above</p><div data-placard="home-top" data-size="600x300" style="max-width:600px;aspect-ratio:600/300"></div><p>Below</p>`,
    before: countShift,
    arrange: comeLate,
  })
  await page.getByRole('img', { name: 'Blue shoes' }).waitFor()

  const box = await page.locator('[data-placard]').boundingBox()
  expect(box!.height).toBeCloseTo(300, 0)
  expect(await shiftOf(page)).toBe(0)
})

test('one call requests all slots near the screen; slots far below follow when they come near', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)
  await addAd(publisher, 'home-side')
  await addAd(publisher, 'home-foot')

  const { page, calls } = await publisher.visit({
    body: `${SLOT}<div data-placard="home-side" data-size="300x250"></div>
      <div style="height:4000px"></div><div data-placard="home-foot" data-size="600x300"></div>`,
  })
  await untilState(page, 'filled', 'home-side')

  expect(calls).toMatchObject([{ slugs: ['home-top', 'home-side'] }])
  await page.locator('[data-placard="home-foot"]').scrollIntoViewIfNeeded()
  await untilState(page, 'filled', 'home-foot')
  expect(calls).toMatchObject([{}, { slugs: ['home-foot'] }])
})

test('a tag that names its site sends the page and fills all slots together', async () => {
  const publisher = await aPublisher(browser())
  const { placement } = await addAd(publisher)
  const site = await publisher.addSite()
  await publisher.addSlot(site, placement, { width: 600, height: 300 })
  const isOnSite = async () =>
    (
      await publisher.whole.post(`/api/v1/sites/${site.publicId}/serve`, {
        url: `${publisher.origin}/article`,
        slots: [{ placement: 'home-top' }],
      })
    ).statusCode
  await expect.poll(isOnSite, POLL).toBe(200)

  const { page, calls } = await publisher.visit({ body: SLOT, tag: `data-site="${site.publicId}"` })

  await untilState(page, 'filled')
  expect(calls).toMatchObject([
    { url: `${publisher.origin}/article`, slots: [{ placement: 'home-top' }] },
  ])
})

test('a view needs half of the banner for one second in a visible tab', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)
  const { page, reported } = await publisher.visit({
    body: `<div style="height:600px"></div>${SLOT}<div style="height:2000px"></div>`,
  })
  await expect.poll(() => reported.map(({ kind }) => kind), POLL).toEqual(['impression'])

  // Longer than a view takes; only 100 of 300 rows are in view.
  await page.waitForFunction(() => performance.now() > 2_500)
  expect(reported).toHaveLength(1)
  await page.mouse.wheel(0, 300)

  await expect.poll(() => reported.map(({ kind }) => kind), POLL).toEqual(['impression', 'view'])
})

test('without an ad, the page’s own content shows; without that, space above the screen stays', async () => {
  const publisher = await aPublisher(browser())
  await publisher.addPlacement({ slug: 'home-top' })
  await publisher.addPlacement({ slug: 'home-side' })
  await publisher.untilServed('home-side', 0)

  const { page } = await publisher.visit({
    body: `<div data-placard="home-top" data-size="600x300"><a href="/own">Our own</a></div>
      <div data-placard="home-side" data-size="300x250"></div><p>Below</p>
      <div style="height:500px"></div><div data-placard="home-side" data-size="300x250"></div>`,
  })
  await untilState(page, 'fallback')
  await untilState(page, 'empty', 'home-side')

  expect(await page.getByText('Our own').isVisible()).toBe(true)
  const [above, below] = await page.locator('[data-placard="home-side"]').all()
  expect((await above!.boundingBox())!.height).toBeCloseTo(250, 0)
  await expect.poll(async () => (await below!.boundingBox())!.height, POLL).toBe(0)
})

test('an unknown placement and a picture that does not load are failures and not counted', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher, 'home-top', { primaryImageUrl: `${publisher.origin}/broken.png` })

  const { page, reported } = await publisher.visit({
    body: `${SLOT}<div data-placard="nowhere"></div>`,
  })

  await untilState(page, 'failed')
  await untilState(page, 'failed', 'nowhere')
  expect(reported).toEqual([])
})

test('if a banner does not load, its placeholder takes its place and is not counted', async () => {
  const publisher = await aPublisher(browser())
  const primaryImageUrl = `${publisher.origin}/broken.png`
  const slugs = ['home-top', 'home-side']
  for (const [at, slug] of slugs.entries()) {
    const fallbackPlaceholderUrl = [publisher.picture, primaryImageUrl][at]
    await addAd(publisher, slug, { primaryImageUrl, fallbackPlaceholderUrl })
  }

  const { page, reported } = await publisher.visit({
    body: `${SLOT}<div data-placard="home-side" data-size="600x300"></div>`,
  })

  await untilState(page, 'fallback')
  await untilState(page, 'failed', 'home-side')
  const slot = page.locator('[data-placard="home-top"]')
  expect(await slot.locator('img').getAttribute('src')).toBe(publisher.picture)
  expect(await slot.locator('a').count()).toBe(0)
  expect(reported).toEqual([])
})

/** Sends the tag a command, as a page does. */
const push = (page: Page, ...command: unknown[]) =>
  page.evaluate(
    (command) => (window as unknown as { placard: unknown[] }).placard.push(command),
    command,
  )

test('the tag stores nothing before consent, and deletes it when consent is withdrawn', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)
  const { page, calls } = await publisher.visit({ body: SLOT })
  await untilState(page, 'filled')
  const kept = () => page.evaluate(() => localStorage.getItem('placard-reader'))
  expect(await kept()).toBeNull()

  await push(page, 'consent', { storage: true, personalisation: true })
  await push(page, 'refresh')
  await expect.poll(() => calls.length, POLL).toBe(2)
  const key = await kept()
  await push(page, 'consent', { storage: false })
  await push(page, 'refresh', 'home-top')
  await expect.poll(() => calls.length, POLL).toBe(3)

  expect(calls[0]).not.toHaveProperty('userId')
  expect(calls[1]).toMatchObject({ userId: key, consent: { storage: true } })
  expect(calls[2]).not.toHaveProperty('userId')
  expect(await kept()).toBeNull()
})

test('a refresh during a call follows it, and the outdated answer is not shown', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)
  const { page, calls } = await publisher.visit({ body: SLOT })
  await untilState(page, 'filled')
  const answers: (() => Promise<void>)[] = []
  await page.route('**/serve', (route) => void answers.push(() => route.continue()))
  await page.evaluate(() => {
    Object.assign(window, { shown: 0 })
    addEventListener('placard', () => (window as unknown as { shown: number }).shown++)
  })
  const shown = () => page.evaluate(() => (window as unknown as { shown: number }).shown)

  await push(page, 'refresh')
  await expect.poll(() => answers.length, POLL).toBe(1)
  await push(page, 'consent', { storage: false })
  await push(page, 'refresh')
  await push(page, 'refresh')
  await answers[0]!()
  await expect.poll(() => answers.length, POLL).toBe(2)

  expect(calls.slice(1).map(({ consent }) => consent)).toEqual([undefined, { storage: false }])
  expect(await shown()).toBe(0)
  await answers[1]!()
  await expect.poll(shown, POLL).toBe(1)
  expect(calls).toHaveLength(3)
})

test('Global Privacy Control takes precedence over consent', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)

  const { page, calls } = await publisher.visit({
    body: SLOT,
    tag: 'data-user="reader-7"',
    before: () => {
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
      Object.assign(window, { placard: [['consent', { storage: true, personalisation: true }]] })
    },
  })
  await untilState(page, 'filled')

  expect(calls).toEqual([
    { slugs: ['home-top'], consent: { storage: false, personalisation: false } },
  ])
})

/** Consent platforms as pages have them: TCF asks the reader first, GPP is ready. */
function addPlatforms(): void {
  const tcf = (_command: string, _version: number, answer: (said: object, fine: boolean) => void) =>
    setTimeout(() => {
      answer({ eventStatus: 'cmpuishown', gdprApplies: true }, true)
      const purpose = { consents: { 1: true, 3: true, 4: false } }
      answer({ eventStatus: 'tcloaded', gdprApplies: true, tcString: 'CPX.tcf', purpose }, true)
    }, 200)
  const ping = { signalStatus: 'ready', gppString: 'DBA~gpp', applicableSections: [2] }
  const gpp = (command: string, answer: (said: object) => void) =>
    command === 'ping' ? answer(ping) : answer({ eventName: 'listenerRegistered' })
  Object.assign(window, { __tcfapi: tcf, __gpp: gpp })
}

test('the consent platforms of a page answer before the first call, and calls and events carry their strings', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)

  const { page, calls } = await publisher.visit({
    body: SLOT,
    tag: 'data-user="reader-7"',
    before: addPlatforms,
  })
  const event = await page.waitForRequest('**/t/e')

  const consent = {
    gdprApplies: true,
    tcString: 'CPX.tcf',
    storage: true,
    personalisation: false,
    gpp: 'DBA~gpp',
    gppSections: [2],
  }
  expect(calls).toEqual([{ slugs: ['home-top'], consent }])
  expect(event.postDataJSON()).toMatchObject({ consent })
})

test('with a consent platform that never answers, ads come after two seconds, without the reader', async () => {
  const publisher = await aPublisher(browser())
  await addAd(publisher)

  const { page, calls } = await publisher.visit({
    body: SLOT,
    tag: 'data-user="reader-7"',
    before: () => Object.assign(window, { __tcfapi: () => {} }),
  })
  await untilState(page, 'filled')

  expect(calls).toEqual([
    { slugs: ['home-top'], consent: { storage: false, personalisation: false } },
  ])
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

test('a slider is refreshed once in its time, however many of its banners were seen', async () => {
  const publisher = await aPublisher(browser())
  const { placement } = await addAd(publisher)
  for (let more = 0; more < 3; more++) await addCampaignTo(publisher, placement)
  await publisher.db.execute(
    `update placements set layout_type = 'full_slider', max_banners = 4 where slug = 'home-top'`,
  )
  await publisher.untilServed('home-top', 4)

  const { page, calls, reported } = await publisher.visit({
    body: '<div data-placard="home-top" data-size="600x300" data-refresh="30"></div>',
    arrange: (page) => page.clock.install(),
  })
  await untilState(page, 'filled')
  const viewsAfter = async (ms: number) => {
    await page.clock.runFor(ms)
    return reported.filter(({ kind }) => kind === 'view').length
  }
  // In small steps, because the slider moves in real time.
  await expect.poll(() => viewsAfter(200), POLL).toBe(3)
  for (let second = 0; second < 30; second++) await viewsAfter(1_000)

  expect(calls).toHaveLength(2)
})

describe('every layout', () => {
  const slugOf = (layoutType: string) => layoutType.replaceAll('_', '-')

  test('shows its banners, and overlays can be closed', async () => {
    const publisher = await aPublisher(browser())
    for (const layoutType of LAYOUT_TYPES) {
      const { placement } = await addAd(publisher, slugOf(layoutType))
      await publisher.addBooking(placement)
      await publisher.db.execute(
        `update placements set layout_type = '${layoutType}', max_banners = 4, recommended_width = 200, recommended_height = 100 where slug = '${slugOf(layoutType)}'`,
      )
    }

    const { page } = await publisher.visit({
      body: LAYOUT_TYPES.map((type) => `<div data-placard="${slugOf(type)}"></div>`).join(''),
    })
    for (const type of LAYOUT_TYPES) await untilState(page, 'filled', slugOf(type))

    // The topmost overlay is closed first.
    for (const type of ['sticky_bar', 'popup', 'interstitial']) {
      const slot = page.locator(`[data-placard="${slugOf(type)}"]`)
      await slot.getByRole('button', { name: 'Close' }).click()
      await untilState(page, 'closed', slugOf(type))
    }
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
  })
})
