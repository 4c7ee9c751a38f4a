import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { addKey, addUser, PASSWORD, signInAs, startServerOn } from '../../testing/server.ts'
import { logOptions } from './log.ts'

/** The whole API, and every line that it logs. */
async function aLoggingServer() {
  const lines: string[] = []
  const log = pino(logOptions('trace', 'api'), { write: (line) => void lines.push(line) })
  const server = await startServerOn(await freshDatabase(), { log })
  const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...server, entries, all: () => lines.join('') }
}

test('a request leaves one line: who, what, how long, and the trace that it belongs to', async () => {
  const { http, deps, entries } = await aLoggingServer()
  const { email, publicId } = await addUser(deps, 'operator')
  const { headers } = await signInAs({ http }, email)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

  await http.inject({
    url: '/api/v1/admin/brands?search=oak',
    headers: {
      ...headers,
      'x-request-id': 'mine',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
  })

  expect(entries().filter(({ reqId }) => reqId === 'mine')).toEqual([
    expect.objectContaining({
      method: 'GET',
      route: '/api/v1/admin/brands',
      status: 200,
      durationMs: expect.any(Number),
      caller: publicId,
      traceId,
      role: 'api',
    }),
  ])
})

test('a trace that is not well formed is not in the log', async () => {
  const { http, entries } = await aLoggingServer()

  await http.inject({ url: '/api/v1/me', headers: { traceparent: '00-"}{"-x-01' } })

  expect(entries().at(-1)).not.toHaveProperty('traceId')
})

test('no secret is ever in the log, whether a request succeeds or fails', async () => {
  const { http, deps, connection, all } = await aLoggingServer()
  const { email, account } = await addUser(deps, 'operator')
  const { headers, accessToken } = await signInAs({ http }, email)
  const { refreshToken } = await signInAs({ http }, email)
  const key = await addKey({ deps }, { account, scopes: ['users:read'] })
  const secrets = [PASSWORD, accessToken, refreshToken, key['x-api-key'], 'a wrong password 123']

  const send = async () => {
    const post = (url: string, payload: object) =>
      http.inject({ method: 'POST', url, payload, headers })
    await post('/api/v1/auth/sign-in', { email, password: 'a wrong password 123' })
    await post('/api/v1/auth/sign-in', { email, password: PASSWORD, colour: 1 })
    const refreshed = await post('/api/v1/auth/refresh', { refreshToken })
    secrets.push(refreshed.json<{ refreshToken?: string }>().refreshToken ?? refreshToken)
    await post('/api/v1/me/password', { currentPassword: PASSWORD, newPassword: 'short' })
    await http.inject({ url: '/api/v1/admin/users', headers: key })
    await http.inject({
      url: '/api/v1/me',
      headers: { authorization: 'Bearer a wrong password 123' },
    })
    const made = await post('/api/v1/admin/api-keys', {
      name: 'test',
      accountId: account.publicId,
      scopes: ['users:read'],
    })
    secrets.push(made.json<{ key?: string }>().key ?? refreshToken)
    const user = { displayName: 'Ida', role: 'operator', password: PASSWORD }
    await post('/api/v1/admin/users', {
      ...user,
      email: 'i@a.example',
      accountId: account.publicId,
    })
  }
  await send()
  await connection.db.execute(sql`alter table users rename to people`)
  await send()
  await connection.db.execute(sql`alter table people rename to users`)
  await connection.db.execute(sql`delete from users where email = 'i@a.example'`)
  await connection.db.execute(
    sql`alter table users add constraint no_ida check (email <> 'i@a.example')`,
  )
  await send()

  expect(all()).toContain('request failed')
  expect(all()).toContain('no_ida')
  expect(secrets.filter((secret) => all().includes(secret))).toEqual([])
  expect(all()).not.toContain('$argon2')
  expect(all()).not.toContain('i@a.example')
})

test('a line writes its level as a number, or as a word where the setting says so', () => {
  const levelOf = (names?: 'numbers' | 'words') => {
    const lines: string[] = []
    pino(logOptions('info', 'worker', names), { write: (line) => void lines.push(line) }).info('x')
    return (JSON.parse(lines[0]!) as { level: unknown }).level
  }

  expect([levelOf(), levelOf('words')]).toEqual([30, 'info'])
})
