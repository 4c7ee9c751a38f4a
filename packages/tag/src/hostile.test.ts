import { expect, test, vi } from 'vitest'
import { useBrowser } from './testing/browser.ts'
import { aPublisher, stateOf, untilState } from './testing/publisher.ts'

vi.setConfig({ testTimeout: 60_000 })
const POLL = { timeout: 15_000 }
const browser = useBrowser()
const SLOT = '<div data-placard="home-top" data-size="600x300"></div>'

/** A publisher with one booked banner; what it shows is said by the test. */
async function aBooking(banner: (origin: string) => string = () => '') {
  const publisher = await aPublisher(browser())
  const placement = await publisher.addPlacement()
  const { banner: booked } = await publisher.addBooking(placement)
  await publisher.db.execute(
    `update banners set primary_image_url = '${publisher.picture}', primary_image_alt = 'Blue shoes',
       cta_url = '${publisher.origin}/landing' ${banner(publisher.origin)} where id = ${booked.id}`,
  )
  await publisher.untilServed('home-top')
  return publisher
}

const policyFor = (ads: string, site: string) =>
  [
    "default-src 'none'",
    `script-src ${ads}`,
    `connect-src ${ads}`,
    `frame-src ${ads}`,
    `img-src ${ads} ${site}`,
    "style-src 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const countViolations = () => {
  Object.assign(window, { violations: [] })
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    (window as unknown as { violations: string[] }).violations.push(
      `${violatedDirective} ${blockedURI}`,
    ),
  )
}

test('the tag violates nothing in the strictest content policy with trusted types', async () => {
  const publisher = await aBooking()

  const { page, reported } = await publisher.visit({
    body: SLOT,
    headers: { 'content-security-policy': policyFor(publisher.ads, publisher.origin) },
    before: countViolations,
  })

  await untilState(page, 'filled')
  await expect.poll(() => reported.map(({ kind }) => kind), POLL).toEqual(['impression', 'view'])
  const violations = () =>
    page.evaluate(() => (window as unknown as { violations: string[] }).violations)
  expect(await violations()).toEqual([])
})

test('markup runs in its own frame under the same policy, and reaches neither page nor Placard', async () => {
  const publisher = await aBooking(
    () =>
      `, format = 'html', html = '<p id="words">Press play</p><script>let saw = "nothing"; try { saw = parent.document.title } catch {} ; document.title = saw + " " + origin</script>'`,
  )

  const { page, reported } = await publisher.visit({
    body: SLOT,
    headers: { 'content-security-policy': policyFor(publisher.ads, publisher.origin) },
    before: countViolations,
  })
  await untilState(page, 'filled')
  const frame = await page
    .locator('iframe')
    .elementHandle()
    .then((element) => element.contentFrame())
  await frame!.waitForSelector('#words')

  expect(await frame!.title()).toBe('nothing null')
  const opened = page.context().waitForEvent('page')
  await frame!.click('#words')
  await expect.poll(async () => (await opened).url(), POLL).toContain('/landing')
  await expect.poll(() => reported.map(({ kind }) => kind), POLL).toContain('click')
})

test('style rules of the page that hide, stretch and rotate everything do not reach the ad', async () => {
  const publisher = await aBooking()

  const { page } = await publisher.visit({
    head: `<style>
      * { font-size: 90px !important; letter-spacing: 2em !important; text-transform: uppercase !important; line-height: 5 !important }
      div { display: none !important; opacity: 0 !important; visibility: hidden !important; max-height: 3px !important; transform: rotate(45deg) !important }
      img, picture, a { width: 9999px !important; height: 1px !important; display: none !important; position: fixed !important }
    </style>`,
    body: SLOT,
  })
  await untilState(page, 'filled')

  const image = page.getByRole('img', { name: 'Blue shoes' })
  const box = await image.boundingBox()
  expect(box).toMatchObject({ width: 600, height: 300 })
  expect(await image.isVisible()).toBe(true)
})

test('a page without a doctype shows the ad in its size', async () => {
  const publisher = await aBooking()

  const { page } = await publisher.visit({
    doctype: '',
    body: `<table><tr><td>${SLOT}</td></tr></table>`,
  })
  await untilState(page, 'filled')

  expect(await page.evaluate(() => document.compatMode)).toBe('BackCompat')
  const { width, height } = (await page.getByRole('img').boundingBox())!
  expect(width / height).toBeCloseTo(2, 1)
})

test('the tag works with frozen prototypes and with old libraries that change prototypes', async () => {
  const publisher = await aBooking()

  const { page, calls } = await publisher.visit({
    body: `<form name="currentScript"><input name="src"></form><div id="placard"></div>${SLOT}`,
    before: () => {
      Object.assign(Array.prototype, { extra: 1, each: () => 0 })
      for (const kind of [Object, Array, Function, String, Promise, Map, Element, Node, Event]) {
        Object.freeze(kind.prototype)
      }
    },
  })

  await untilState(page, 'filled')
  expect(calls).toMatchObject([{ slugs: ['home-top'] }])
})

test('a page that has broken the APIs the tag needs gets neither an ad nor an error', async () => {
  const publisher = await aBooking()

  const { page } = await publisher.visit({
    body: SLOT,
    before: () => {
      Element.prototype.attachShadow = () => {
        throw new Error('not here')
      }
    },
  })
  await page.waitForFunction(() => 'placard' in window)

  expect(await stateOf(page)).toBeNull()
})

test('a moved element keeps its ad; a new element and a new page of the application get another', async () => {
  const publisher = await aBooking()
  const { page, calls } = await publisher.visit({ body: `<main>${SLOT}</main><aside></aside>` })
  await untilState(page, 'filled')

  await page.evaluate(() => {
    const slot = document.querySelector('[data-placard]')!
    slot.remove()
    document.querySelector('aside')!.append(slot)
  })
  await page.getByRole('img', { name: 'Blue shoes' }).waitFor()
  expect(calls).toHaveLength(1)

  await page.evaluate(() => {
    document.querySelector('aside')!.innerHTML = '<div data-placard="home-top"></div>'
  })
  await expect.poll(() => calls.length, POLL).toBe(2)
  await untilState(page, 'filled')

  await page.evaluate(() => {
    history.pushState({}, '', '/another')
    document.querySelector('main')!.textContent = 'Another article'
  })
  await expect.poll(() => calls.length, POLL).toBe(3)
})

test('while Placard is unavailable, the page works without it', async () => {
  const publisher = await aBooking()
  const visiting = publisher.visit({ body: `${SLOT}<p>The article</p>` })
  const { page } = await visiting
  await untilState(page, 'filled')

  await page.route('**/serve', (route) => route.abort())
  await page.reload()

  await untilState(page, 'failed')
  expect(await page.getByText('The article').isVisible()).toBe(true)
})
