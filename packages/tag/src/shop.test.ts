import { expect, test, vi } from 'vitest'
import { useBrowser } from './testing/browser.ts'
import { aPublisher } from './testing/publisher.ts'

vi.setConfig({ testTimeout: 60_000 })
const POLL = { timeout: 15_000 }
const browser = useBrowser()

const NONCE = 'nonce="abc"'
const commandsOf = (commands: readonly unknown[]) =>
  `<script ${NONCE}>(window.placard ||= []).push(...${JSON.stringify(commands)})</script>`
const PURCHASE = { kind: 'purchase', orderId: 'o-1', valueMicros: '12000000', currency: 'EUR' }

/** A shop whose visitors come from clicks, and the conversions that its tag reports. */
async function aShop() {
  const publisher = await aPublisher(browser())
  const { page } = await publisher.visit({ body: '' })
  const told: unknown[] = []
  const loaded: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/t/v') told.push(request.postDataJSON())
    if (pathname.endsWith('.js')) loaded.push(pathname)
  })
  return {
    page,
    told,
    loaded,
    ads: publisher.ads,
    async open(search: string, commands: readonly unknown[], headers = {}) {
      publisher.show({ body: commandsOf(commands), tag: NONCE, headers })
      await page.goto(`${publisher.origin}/shop${search}`)
    },
  }
}

test('the tag reports a purchase with the click id of the landing page, even days later', async () => {
  const { page, told, open } = await aShop()

  await open('?placard_click=click-1', [['consent', { storage: true }]])
  await expect.poll(async () => (await page.context().cookies()).length, POLL).toBe(1)
  await open('', [['conversion', PURCHASE]])

  await expect.poll(() => told, POLL).toEqual([{ token: 'click-1', ...PURCHASE }])
})

test('without consent, no click id outlives the landing page', async () => {
  const { page, told, open } = await aShop()
  await open('?placard_click=click-1', [['consent', { storage: true }]])
  await expect.poll(async () => (await page.context().cookies()).length, POLL).toBe(1)

  await open('', [['consent', { storage: false }]])
  await expect.poll(() => page.context().cookies(), POLL).toEqual([])

  await open('?placard_click=click-2', [['conversion', PURCHASE]])
  await expect.poll(() => told, POLL).toEqual([{ token: 'click-2', ...PURCHASE }])
  expect(await page.context().cookies()).toEqual([])
})

test('a page that is neither a landing page nor a shop loads only the tag', async () => {
  const { loaded, page, open } = await aShop()

  await open('', [['consent', { storage: true }]])
  await page.waitForFunction(() => 'isRunning' in ((window as { placard?: object }).placard ?? {}))

  expect(loaded).toEqual(['/tag.js'])
})

test('the tag reports conversions in a shop that allows only scripts with its nonce', async () => {
  const { told, open, ads } = await aShop()
  const policy = `script-src 'nonce-abc'; connect-src ${ads}; require-trusted-types-for 'script'`

  await open('?placard_click=click-1', [['conversion', PURCHASE]], {
    'content-security-policy': policy,
  })

  await expect.poll(() => told, POLL).toEqual([{ token: 'click-1', ...PURCHASE }])
})
