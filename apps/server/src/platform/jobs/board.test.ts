import { beforeEach, expect, test } from 'vitest'
import { addKey, addUser, signInAs, startServer, type TestServer } from '../../testing/server.ts'
import { freshRedis } from '../../testing/services/redis.ts'

let server: TestServer
beforeEach(async () => {
  const { url } = await freshRedis()
  server = await startServer({ REDIS_URL: url, QUEUE_BOARD: 'on' })
})

const look = (headers: Record<string, string>, method: 'GET' | 'PUT' = 'GET') =>
  server.http.inject({ method, url: '/queue-board/api/queues', headers })

const asPassword = (key: { 'x-api-key': string }) => ({
  authorization: `Basic ${Buffer.from(`anybody:${key['x-api-key']}`).toString('base64')}`,
})

test('a stranger is asked for a key by the browser itself', async () => {
  const answer = await look({})

  expect(answer.statusCode).toBe(401)
  expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
})

test('an operator sees the queues, by token or with a key as password', async () => {
  const operator = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, operator.email)
  const scopes = ['operations:read']
  const key = await addKey(server, { account: operator.account, scopes })

  expect((await look(headers)).statusCode).toBe(200)
  expect((await look(asPassword(key))).statusCode).toBe(200)
})

test('the page finds its scripts, and may load nothing from elsewhere', async () => {
  const operator = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, operator.email)

  const page = await server.http.inject({ url: '/queue-board', headers })

  const base = /<base href="([^"]+)"/.exec(page.body)![1]!
  const script = /src="([^"]+)"/.exec(page.body)![1]!
  const found = await server.http.inject({ url: `${base}${script}`, headers })
  expect(found.statusCode).toBe(200)
  expect(found.headers['content-type']).toContain('javascript')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
})

test('nobody else does, and a wrong key is refused', async () => {
  const { email, account } = await addUser(server.deps, 'ad-ops')
  const { headers } = await signInAs(server, email)
  const key = await addKey(server, { account, scopes: ['campaigns:read'] })

  expect((await look(headers)).statusCode).toBe(403)
  expect((await look(asPassword(key))).statusCode).toBe(403)
  expect((await look(asPassword({ 'x-api-key': 'plk_wrong' }))).statusCode).toBe(401)
})

test('the board is to look at only', async () => {
  const operator = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, operator.email)

  expect((await look(headers, 'PUT')).statusCode).toBeGreaterThanOrEqual(403)
  const pause = await server.http.inject({
    method: 'PUT',
    url: '/queue-board/api/queues/pause',
    headers,
  })
  expect(pause.statusCode).toBe(403)
})
