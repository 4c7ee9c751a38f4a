import axe, { type AxeResults } from 'axe-core'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../testing/server.ts'

test('every operation of the API has its place in the reference, with an example call', async () => {
  const { http } = await startServer()
  const { paths } = (await http.inject({ url: '/openapi.json' })).json()
  const index = (await http.inject({ url: '/docs' })).body

  for (const methods of Object.values<Record<string, Operation>>(paths)) {
    for (const { operationId, tags } of Object.values(methods)) {
      const address = `/docs/${tags[0]!.replaceAll(' ', '-')}`
      expect(index).toContain(`href="${address}#${operationId}"`)
      const { body } = await http.inject({ url: address })
      expect(body).toContain(`<article id="${operationId}">`)
    }
  }
  expect((await http.inject({ url: '/docs/sign-in' })).body).toContain(
    'curl -X POST &quot;$PLACARD/api/v1/auth/sign-in&quot;',
  )
})

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
}

test('a missing part of the reference is a problem', async () => {
  const { http } = await startServer()

  const answer = await http.inject({ url: '/docs/nothing' })

  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' })
})

test('the reference pages load nothing from elsewhere, find routes by words and are accessible, in light and dark, wide and narrow', async () => {
  const { http } = await startServer()
  const address = await http.listen({ port: 0, host: '127.0.0.1' })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  onTestFinished(() => browser.close())

  for (const [path, colorScheme, width] of LOOKS) {
    const context = await browser.newContext({
      bypassCSP: true,
      colorScheme,
      viewport: { width, height: 800 },
    })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.goto(`${address}${path}`)

    expect(asked.filter((url) => !url.startsWith(address) && !url.startsWith('data:'))).toEqual([])
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
    expect(violations.map(({ id, nodes }) => [id, nodes[0]!.html])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await context.close()
  }

  const page = await browser.newPage()
  await page.goto(`${address}/docs`)
  await page.getByRole('searchbox').fill('sign-in post refresh')
  expect(await page.locator('li:visible').count()).toBe(1)
})

const LOOKS = [
  ['/docs', 'light', 1280],
  ['/docs', 'dark', 390],
  ['/docs/campaigns', 'dark', 1280],
  ['/docs/reports', 'light', 390],
] as const
