import { micros } from '@placard/money'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { prebidWith } from '../../../testing/services/prebid.ts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { aWebSite, pagesAt } from '../../../testing/services/web-site.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'
import { aRequest } from './testing-market.ts'

const WITHIN = { timeout: 20_000 }

const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

let browser: Browser
let prebid: string

beforeAll(async () => {
  prebid = await prebidWith('prebidServerBidAdapter', 'tealBidAdapter')
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
})
afterAll(() => browser.close())

/** A page that runs an auction as its own script says, and shows what wins. */
const pageOf = (setUp: string) => `<!doctype html><meta charset="utf-8">
<script>window.pbjs = { que: [] }</script><script src="/prebid.js"></script>
<iframe id="ad" width="300" height="250"></iframe>
<script>
  pbjs.que.push(function () {
    pbjs.setConfig({ bidderTimeout: 20000 })
    ${setUp}
    pbjs.onEvent('pbsAnalytics', function (event) { window.analytics = event })
    pbjs.requestBids({
      bidsBackHandler: function () {
        window.bids = pbjs.getBidResponsesForAdUnitCode('div-1').bids
        if (bids[0]) pbjs.renderAd(document.getElementById('ad').contentDocument, bids[0].adId)
        window.isOver = true
      },
    })
  })
</script>`

const TEST_REQUEST = aRequest({ test: 1 })

/** Two campaigns on one placement of a real node: 4 and 2 per thousand, so that 2.01 is charged. */
async function aPublisher() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'hybrid' })
  const size = { width: 300, height: 250, ctaUrl: 'https://shop.example/autumn' }
  const addBidder = async (bid: bigint) => {
    const campaign = await world.addCampaign({ budgetDailyMicros: micros(1_000_000n) })
    await world.addCampaignPlacement(campaign, placement)
    await world.addAd(campaign, bid, await world.addBanner(size))
    return campaign
  }
  const campaign = await addBidder(4_000_000n)
  await addBidder(2_000_000n)
  const whole = await startWhole(world)
  const address = await whole.http.listen({ port: 0, host: '127.0.0.1' })
  // A node leases its first budgets a moment after its start.
  const isBidding = async () => (await whole.post('/openrtb2/auction', TEST_REQUEST)).statusCode
  await expect.poll(isBidding, WITHIN).toBe(200)
  const delivery = () => whole.admin(`/tracking/delivery/${campaign.publicId}`)
  return { world, whole, address, delivery, publisherId: world.publisher.publicId }
}

const visit = (setUp: string) => open(pageOf(setUp), 'window.isOver')

async function open(html: string, isOver: string): Promise<Page> {
  const { origin } = await aWebSite(pagesAt({ '/': html, '/prebid.js': prebid }))
  const context = await browser.newContext({ userAgent: BROWSER['user-agent'] })
  onTestFinished(() => context.close())
  await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'The shop' }))
  await context.route('https://cdn.example/**', (route) => route.fulfill({ body: PICTURE }))
  const page = await context.newPage()
  await page.goto(origin)
  await page.waitForFunction(isOver, undefined, WITHIN)
  return page
}

const serverToServer = ({ address, publisherId }: { address: string; publisherId: string }) => `
  pbjs.setConfig({
    s2sConfig: {
      accountId: '${publisherId}',
      bidders: ['house'],
      adapter: 'prebidServer',
      enabled: true,
      timeout: 20000,
      endpoint: '${address}/openrtb2/auction',
      syncEndpoint: '${address}/cookie_sync',
      extPrebid: { returnallbidstatus: true },
    },
  })`

const adUnit = (bidder: string, params: object, size = [300, 250]) =>
  `pbjs.addAdUnits(${JSON.stringify([
    {
      code: 'div-1',
      mediaTypes: { banner: { sizes: [size] } },
      bids: [{ bidder, params }],
    },
  ])})`

interface SeenBid {
  readonly cpm: number
  readonly currency: string
  readonly meta: { readonly advertiserDomains: readonly string[] }
}
const bidsOf = (page: Page) => page.evaluate<readonly SeenBid[]>('window.bids')

/** Prebid shows a creative in a frame inside the frame of the page. */
async function linkOf(page: Page) {
  const links = page.frames().map((frame) => frame.locator('a[href*="/t/c/"]'))
  for (const link of links) if ((await link.count()) > 0) return link
  return undefined
}

test('Prebid’s server-to-server module: from the bid to one impression at a thousandth of its price, and the click', async () => {
  const publisher = await aPublisher()
  const unit = adUnit('house', { placement: 'home-top' })

  const page = await visit(`${serverToServer(publisher)}; ${unit}`)

  expect(await bidsOf(page)).toMatchObject([
    { cpm: 2.01, currency: 'EUR', meta: { advertiserDomains: ['shop.example'] } },
  ])
  await expect.poll(publisher.delivery, WITHIN).toMatchObject({ rendered: 1 })
  publisher.world.deps.clock.advance(2_000)
  const link = await linkOf(page)
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link?.click()])
  await opened.waitForURL(/^https:\/\/shop\.example\/autumn/)
  await expect.poll(publisher.delivery, WITHIN).toMatchObject({
    rendered: 1,
    clicked: 1,
    chargedMicros: '2010',
  })
})

test('Prebid learns why there is no bid', async () => {
  const publisher = await aPublisher()
  const unit = adUnit('house', { placement: 'home-top' }, [728, 90])

  const page = await visit(`${serverToServer(publisher)}; ${unit}`)

  expect(await bidsOf(page)).toEqual([])
  expect(await page.evaluate('window.analytics.seatnonbid')).toEqual([
    { seat: 'house', nonbid: [{ impid: 'div-1', statuscode: 351 }] },
  ])
  expect(await publisher.delivery()).toMatchObject({ rendered: 0, chargedMicros: '0' })
})

test('an adapter whose address is a parameter bids, shows and counts once; without a bid it does not throw', async () => {
  const publisher = await aPublisher()
  const params = (placement: string) => ({
    account: publisher.publisherId,
    placement,
    endpoint: `${publisher.address}/openrtb2/auction`,
  })

  const empty = await visit(adUnit('teal', params('nowhere')))
  const page = await visit(adUnit('teal', params('home-top')))

  expect(await bidsOf(empty)).toEqual([])
  expect(await bidsOf(page)).toMatchObject([{ cpm: 2.01, currency: 'EUR' }])
  await expect.poll(publisher.delivery, WITHIN).toMatchObject({
    rendered: 1,
    chargedMicros: '2010',
  })
})

test('the page of the guide works when it is pasted', async () => {
  const publisher = await aPublisher()
  const guide = path.join(import.meta.dirname, '../../../../../../docs/guides/prebid.md')
  const [, html = ''] = /```html\n(.*?)```/s.exec(await readFile(guide, 'utf8')) ?? []
  const pasted = html
    .replace('http://127.0.0.1:8080', publisher.address)
    .replace('PUBLISHER-ID', publisher.publisherId)
    // Prebid waits three seconds for its bidders, and this machine may be busy.
    .replace('pbjs.setConfig({', 'pbjs.setConfig({ bidderTimeout: 20000,')
    .replace('category-grid', 'home-top')
    .replace('timeout: 1000', 'timeout: 20000')

  const page = await open(pasted, 'document.body.dataset.bid')

  expect(await page.evaluate('document.body.dataset.bid')).toBe('2.01 EUR')
  await expect.poll(publisher.delivery, WITHIN).toMatchObject({ rendered: 1 })
})
