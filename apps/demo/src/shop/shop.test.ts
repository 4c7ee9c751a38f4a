import { expect, test } from 'vitest'
import { PLACEMENTS } from '../data/sellers.ts'
import { startServer } from '../../../server/src/testing/server.ts'
import { isNews, readArticles } from './article.ts'
import { pagesOf } from './pages.ts'

test('every placement of the demo is on a page', async () => {
  const bodies = [...pagesOf(await readArticles()).values()].map(({ body }) => body.text).join('')

  const missing = Object.keys(PLACEMENTS).filter((slug) => !bodies.includes(`"${slug}"`))
  expect(missing).toEqual([])
})

test('articles have a theme, a lead and several hundred words', async () => {
  const articles = await readArticles()

  for (const { title, theme, lead, blocks } of articles) {
    expect([title, theme, lead]).not.toContain('')
    const words = blocks.flatMap(({ text }) => text.split(' '))
    expect(words.length).toBeGreaterThan(250)
  }
  expect(articles.some(isNews)).toBe(true)
  expect(new Set(articles.map(({ theme }) => theme)).size).toBeGreaterThan(8)
})

test('every page answers, every link leads to a page, and an unknown page is not found', async () => {
  const { http } = await startServer()
  const pages = pagesOf(await readArticles())

  for (const path of pages.keys()) {
    const { statusCode, body } = await http.inject(path)
    expect([path, statusCode]).toEqual([path, 200])
    for (const [, link] of body.matchAll(/<a href="(\/demo[^"]*)"/g)) {
      expect([...pages.keys()]).toContain(link)
    }
  }
  expect((await http.inject('/demo/nowhere')).statusCode).toBe(404)
})

test('production has no demo shop', async () => {
  const secret = 'x'.repeat(40)
  const { http } = await startServer({
    PLACARD_MODE: 'production',
    DATABASE_URL: 'postgres://unused',
    JWT_SECRET: secret,
    USER_KEY_SECRET: secret,
    ENCRYPTION_SECRET: secret,
    TRACKING_KEYS: `1:${secret}`,
  })

  expect((await http.inject('/demo')).body).not.toContain('shop.css')
})
