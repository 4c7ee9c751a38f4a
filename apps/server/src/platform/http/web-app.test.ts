import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../testing/server.ts'
import { replyWithProblem } from './reply-with-problem.ts'
import { serveWebApp } from './web-app.ts'

async function serverOf(files: Readonly<Record<string, string>>) {
  const folder = await scratchFolder()
  await mkdir(path.join(folder, 'assets'))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  const http = fastify()
  onTestFinished(() => http.close())
  http.setErrorHandler(replyWithProblem)
  await serveWebApp(http, folder)
  return http
}

const APP = { 'index.html': '<title>The app</title>', 'assets/main-abc.js': 'run()' }
const PERSON = { accept: 'text/html,application/xhtml+xml' }

test('every address that a person opens is the one page, under a strict policy', async () => {
  const http = await serverOf(APP)

  for (const url of ['/', '/campaigns/7?part=ads']) {
    const answer = await http.inject({ url, headers: PERSON })
    expect(answer.body).toContain('The app')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
  }
})

test('what is unchanged is not sent again', async () => {
  const http = await serverOf(APP)
  const { headers } = await http.inject({ url: '/', headers: PERSON })

  const again = await http.inject({
    url: '/',
    headers: { ...PERSON, 'if-none-match': headers.etag as string },
  })

  expect(again.statusCode).toBe(304)
})

test('parts with a hash in their name may be kept for ever; squeezed ones are sent to who takes them', async () => {
  const http = await serverOf({ ...APP, 'assets/main-abc.js.gz': 'squeezed' })

  const plain = await http.inject({ url: '/assets/main-abc.js' })
  const squeezed = await http.inject({
    url: '/assets/main-abc.js',
    headers: { 'accept-encoding': 'gzip' },
  })

  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.body).toBe('run()')
  expect(squeezed.headers['content-encoding']).toBe('gzip')
  expect(squeezed.headers['content-type']).toContain('javascript')
})

test('a program that asks for what is not there gets a problem and no page', async () => {
  const http = await serverOf(APP)

  const byPath = await http.inject({ url: '/api/v1/nothing', headers: PERSON })
  const byWish = await http.inject({ url: '/nothing', headers: { accept: 'application/json' } })

  expect([byPath.statusCode, byWish.statusCode]).toEqual([404, 404])
  expect(byPath.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' })
})

test('no address leads out of the folder', async () => {
  const http = await serverOf(APP)

  const answer = await http.inject({ url: '/assets/..%2f..%2f..%2fetc%2fpasswd' })

  expect(answer.statusCode).toBeGreaterThanOrEqual(400)
})
