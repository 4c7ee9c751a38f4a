import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { freshDatabase } from '../../server/src/testing/services/database.ts'
import { startPlacard } from '../../server/src/testing/services/process.ts'
import { scratchFolder } from '../../server/src/testing/server.ts'
import { BROWSER } from '../../server/src/testing/worlds/whole-world.ts'
import { DEMO_PASSWORD } from './data/people.ts'

vi.setConfig({ testTimeout: 180_000 })

const COFFEE = '1133'
const WAITING = { timeout: 60_000, interval: 200 }

/** The crawler needs the address of the pages before the node listens. */
async function aFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

/** The demo of `npm start` without its simulated readers, with its publisher signed in. */
async function startDemoNode() {
  const port = await aFreePort()
  const { url } = await freshDatabase()
  const demo = startPlacard({
    PLACARD_MODE: 'demo',
    PLACARD_HOME: await scratchFolder(),
    DATABASE_URL: url,
    API_PORT: port,
    DEMO_VISITS_PER_SECOND: '0',
    CRAWL_PAUSE_MS: '0',
  })
  await demo.says('Placard is ready')
  const api = `http://127.0.0.1:${port}/api/v1`
  const json = { ...BROWSER, 'content-type': 'application/json' }
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${api}${path}`, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    })
  const email = 'publisher@demo.placard.example'
  const signedIn = await send('/auth/sign-in', { email, password: DEMO_PASSWORD })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const authorization = `Bearer ${accessToken}`
  const call = async (path: string, method = 'GET') => {
    const answer = await fetch(`${api}/admin${path}`, { method, headers: { authorization } })
    return (await answer.json()) as { items: Record<string, unknown>[] }
  }
  const { items } = await call('/sites?domain=localhost')
  const siteId = String(items[0]!['id'])
  return {
    call,
    siteId,
    /** Headlines of the ads in an article, in order. Empty while the site's pacing leaves it empty. */
    async ask(slug: string) {
      const page = `http://localhost:${port}/demo/magazine/${slug}`
      const slots = [{ placement: 'magazine-feed' }]
      const answer = await send(`/sites/${siteId}/serve`, { url: page, slots })
      if (answer.status === 204) return []
      const { slots: served } = (await answer.json()) as ServedSlots
      return served[0]!.banners.map(({ headline }) => headline)
    },
  }
}

interface ServedSlots {
  readonly slots: readonly { readonly banners: readonly { readonly headline: string }[] }[]
}

test('the demo’s magazine is crawled: pages about bread show coffee, gardens show seeds, others the best bid; a block takes effect at once', async () => {
  const { ask, call, siteId } = await startDemoNode()
  const coffee = 'Why fresh coffee blooms'
  const seeds = 'Seeds by post'
  const lamps = 'A lamp for every corner'

  await call(`/sites/${siteId}/crawl`, 'POST')
  const shows = (slug: string, headline: string) =>
    vi.waitFor(async () => expect((await ask(slug))[0]).toBe(headline), WAITING)
  await shows('bread-at-home', coffee)
  await shows('tulips-want-october', seeds)
  await shows('listening-properly', lamps)
  const { items } = await call(`/sites/${siteId}/pages?category=210`)
  expect(items.map(({ url }) => String(url).split('/').at(-1))).toEqual(['bread-at-home'])

  await call(`/sites/${siteId}/ad-product-blocks/${COFFEE}`, 'PUT')
  await shows('bread-at-home', lamps)
  expect(await ask('bread-at-home')).not.toContain(coffee)
})
