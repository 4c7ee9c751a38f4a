import { expect, test } from 'vitest'
import { startServer } from './testing/server.ts'

test('the tag is served to pages of all origins, compressed, and not again to browsers that have it', async () => {
  const { http } = await startServer()

  const first = await http.inject({ url: '/tag.js', headers: { 'accept-encoding': 'gzip, br' } })
  const again = await http.inject({
    url: '/tag.js',
    headers: { 'if-none-match': String(first.headers.etag) },
  })

  expect(first.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': expect.stringContaining('max-age=300'),
  })
  expect(again.statusCode).toBe(304)
  expect((await http.inject('/tag.js')).body).toContain('data-placard')
})

test('scripts that the tag loads later are modules that pages of all origins may import', async () => {
  const { http } = await startServer()

  for (const name of ['tag-consent', 'tag-over', 'tag-shop']) {
    const origin = 'https://shop.example'
    const { headers, body } = await http.inject({ url: `/${name}.js`, headers: { origin } })
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
    })
    expect(body).toContain('export{')
  }
})

test('the frame for markup has no origin, however it is opened', async () => {
  const { http } = await startServer()

  const { headers } = await http.inject('/tag-frame')

  const policy = String(headers['content-security-policy'])
  expect(policy).toContain('sandbox allow-scripts')
  expect(policy).not.toContain('allow-same-origin')
  expect(headers['x-frame-options']).toBeUndefined()
})
