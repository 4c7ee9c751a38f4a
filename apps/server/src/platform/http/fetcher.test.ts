import { describe, expect, onTestFinished, test } from 'vitest'
import { createFetcher, type FetcherOptions } from './fetcher.ts'
import { aWebSite, html } from '../../testing/services/web-site.ts'

function aFetcher(options: Partial<FetcherOptions> = {}) {
  const fetcher = createFetcher({ allowedHosts: [], ...options })
  onTestFinished(() => fetcher.close())
  return fetcher
}

describe('private addresses', () => {
  test.each([
    'http://127.0.0.1/',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data',
    'http://192.168.0.1/',
    'http://[::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:127.0.0.1]/',
  ])('%s is never called', async (url) => {
    await expect(aFetcher().fetch(url)).rejects.toThrow('not on the internet')
  })

  test('a name that resolves to a private address is refused when connecting', async () => {
    const site = await aWebSite((_, response) => response.end())
    const resolve: FetcherOptions['resolve'] = (_, answer) =>
      answer(null, [{ address: '127.0.0.1', family: 4 }])

    await expect(aFetcher({ resolve }).fetch('http://inside.example/')).rejects.toThrow(
      'not on the internet',
    )
    expect(site.requests).toEqual([])
  })

  test('a redirect to a private address is not followed', async () => {
    const inside = await aWebSite((_, response) => response.end('secret'))
    const outside = await aWebSite((_, response) =>
      response.writeHead(302, { location: inside.origin }).end(),
    )
    const fetcher = aFetcher({ allowedHosts: [outside.host] })

    await expect(fetcher.fetch(outside.origin)).rejects.toThrow('is not read')
    expect(inside.requests).toEqual([])
  })

  test('a private address that the operator lists is fetched', async () => {
    const site = await aWebSite((_, response) => response.end(html('Inside', 'Hello')))

    const { status, body } = await aFetcher({ allowedHosts: [site.host] }).fetch(site.origin)
    expect(status).toBe(200)
    expect(body).toContain('Hello')
  })
})

test('a page that is too large is cut off', async () => {
  const site = await aWebSite((_, response) => response.end('a'.repeat(5_000)))

  const fetcher = aFetcher({ allowedHosts: [site.host], bytesMax: 1_000 })
  await expect(fetcher.fetch(site.origin)).rejects.toThrow(/longer|exceeded|size/i)
})

test('endless redirects are given up', async () => {
  const site = await aWebSite(({ url }, response) =>
    response.writeHead(301, { location: `${url}x` }).end(),
  )

  const fetcher = aFetcher({ allowedHosts: [site.host] })
  await expect(fetcher.fetch(`${site.origin}/`)).rejects.toThrow('too often')
})

test('a known page is requested conditionally, and fetched only if it changed', async () => {
  const site = await aWebSite(({ headers }, response) =>
    response.writeHead(headers['if-none-match'] === '"1"' ? 304 : 200, { etag: '"1"' }).end('x'),
  )
  const fetcher = aFetcher({ allowedHosts: [site.host] })

  const { etag } = await fetcher.fetch(site.origin)
  expect((await fetcher.fetch(site.origin, { etag: etag! })).status).toBe(304)
})
