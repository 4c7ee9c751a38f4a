import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { aServingWorld } from '../../../../apps/server/src/testing/worlds/serving-world.ts'
import { startWhole } from '../../../../apps/server/src/testing/worlds/whole-world.ts'
import { USER_AGENT } from './browser.ts'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="#147"/></svg>'

export interface Visited {
  readonly page: Page
  /** Bodies of the ad requests, in order. */
  readonly calls: readonly Record<string, unknown>[]
  /** Events the tag reported. */
  readonly reported: readonly { readonly kind: string; readonly token: string }[]
}

export interface PageVisit {
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly head?: string
  /** Attributes of the script. */
  readonly tag?: string
  readonly doctype?: string
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Runs in the page before any other script. */
  readonly before?: () => void
  /** Prepares the browser page, for example its routes. */
  readonly arrange?: (page: Page) => Promise<unknown>
}

/** A publisher's site and Placard on different origins, both real. */
export async function aPublisher(browser: Browser) {
  const world = await aServingWorld()
  const whole = await startWhole(world)
  const ads = await whole.http.listen({ host: '127.0.0.1', port: 0 })
  const ticking = setInterval(() => world.deps.clock.advance(1), 200)
  onTestFinished(() => clearInterval(ticking))
  const site = await serve()

  const show = (pageOptions: Pick<PageVisit, 'body' | 'tag' | 'headers'>) => {
    site.page = documentOf(pageOptions, ads)
    site.headers = pageOptions.headers ?? {}
  }
  const visit = async (pageOptions: PageVisit): Promise<Visited> => {
    show(pageOptions)
    const context = await browser.newContext({
      userAgent: USER_AGENT,
      viewport: pageOptions.viewport ?? { width: 1_000, height: 700 },
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    if (pageOptions.before) await page.addInitScript(pageOptions.before)
    await pageOptions.arrange?.(page)
    const seen = watchPage(page, [ads, site.origin])
    await page.goto(`${site.origin}/article`)
    return { page, ...seen }
  }
  return {
    ...world,
    whole,
    ads,
    /** What the site answers from now on. */
    show,
    visit,
    picture: `${site.origin}/picture.svg`,
    origin: site.origin,
    /** Waits until this many bookings can be served. */
    async untilServed(slug: string, count = 1) {
      const bannerCount = async () =>
        (await whole.get(`/api/v1/banners/serve/${slug}`)).json<{ banners?: unknown[] }>().banners
          ?.length ?? -1
      await expect
        .poll(bannerCount, { timeout: 10_000, interval: 20 })
        .toBeGreaterThanOrEqual(count)
    },
    delivery: (campaign: { readonly publicId: string }) =>
      whole.admin(`/tracking/delivery/${campaign.publicId}`),
  }
}

export type Publisher = Awaited<ReturnType<typeof aPublisher>>

const documentOf = (
  { body, head = '', tag = '', doctype = '<!doctype html>' }: PageVisit,
  ads: string,
) =>
  `${doctype}<html lang="en"><head><title>Article</title>${head}<script async src="${ads}/tag.js" ${tag}></script></head><body>${body}</body></html>`

/** Checks when the page closes that no request left the machine and no error reached the page. */
function watchPage(page: Page, origins: readonly string[]) {
  const calls: Record<string, unknown>[] = []
  const reported: { kind: string; token: string }[] = []
  const strangers: string[] = []
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith('data:') && !origins.some((origin) => url.startsWith(origin)))
      strangers.push(url)
    if (url.endsWith('/serve') && request.method() === 'POST') calls.push(request.postDataJSON())
    if (url.endsWith('/t/e'))
      reported.push(...(request.postDataJSON() as { events: typeof reported }).events)
  })
  onTestFinished(() => {
    expect({ errors, strangers }).toEqual({ errors: [], strangers: [] })
  })
  return { calls, reported }
}

interface Site {
  readonly origin: string
  page: string
  headers: Readonly<Record<string, string>>
}

async function serve(): Promise<Site> {
  const server: Server = createServer(({ url }, response) => {
    if (url === '/picture.svg') {
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(PICTURE)
    } else if (url === '/broken.png' || url === '/favicon.ico') response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html', ...site.headers }).end(site.page)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  // To the browser, another name of this machine is another site.
  const site: Site = { origin: `http://localhost:${port}`, page: '', headers: {} }
  return site
}

/** State of the first slot with that slug. */
export const stateOf = (page: Page, slug = 'home-top') =>
  page.locator(`[data-placard="${slug}"]`).first().getAttribute('data-placard-state')

export const untilState = (page: Page, state: string, slug = 'home-top') =>
  page
    .locator(`[data-placard="${slug}"][data-placard-state="${state}"]`)
    .first()
    .waitFor({ state: 'attached', timeout: 15_000 })
