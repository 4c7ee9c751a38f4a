import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { startServer, startServerOn } from '../../testing/server.ts'
import { connect } from '../database/connect.ts'

test('a node that is well says so', async () => {
  const { http } = await startServer()
  const ask = async (url: string) => {
    const answer = await http.inject({ url })
    return { code: answer.statusCode, ...answer.json<object>() }
  }

  expect(await ask('/health/live')).toEqual({ code: 200, status: 'ok' })
  expect(await ask('/health/ready')).toEqual({ code: 200, status: 'ok' })
  expect(await ask('/health')).toEqual({ code: 200, status: 'ok', checks: { database: true } })
})

test('without PostgreSQL managing asks to wait, and the node stays in traffic', async () => {
  const { http } = await startServerOn(connectionToNothing(await aClosedPort()))
  const ask = (url: string) => http.inject({ url, headers: { 'x-api-key': 'plk_any' } })

  const managed = await ask('/api/v1/admin/campaigns')
  const signIn = await http.inject({
    method: 'POST',
    url: '/api/v1/auth/sign-in',
    payload: { email: 'ada@northwind.example', password: 'any password' },
  })

  for (const answer of [managed, signIn]) {
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.json()).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      detail: 'Try again in a moment.',
    })
  }
  expect((await ask('/health')).json()).toEqual({
    status: 'degraded',
    checks: { database: false },
  })
  expect([(await ask('/health')).statusCode, (await ask('/health/ready')).statusCode]).toEqual([
    503, 200,
  ])
  expect((await ask('/health/live')).statusCode).toBe(200)
})

test('a node that drains asks for no more traffic and finishes what it has', async () => {
  const { http, drain } = await startServerOn(await freshDatabase())
  const began = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  http.get('/slow', { config: { access: 'public' }, schema: { hide: true } }, async () => {
    began.resolve()
    await mayEnd.promise
    return { isDone: true }
  })
  const address = await http.listen({ port: 0, host: '127.0.0.1' })
  const slow = fetch(`${address}/slow`)
  await began.promise

  drain()
  const ready = await fetch(`${address}/health/ready`)
  const closed = http.close()
  mayEnd.resolve()

  expect(ready.status).toBe(503)
  expect(await (await slow).json()).toEqual({ isDone: true })
  await closed
  await expect(fetch(`${address}/health/live`)).rejects.toThrow('fetch failed')
})

function connectionToNothing(port: number) {
  const url = `postgres://nobody:nothing@127.0.0.1:${port}/nowhere`
  const connection = connect({ url, connectionsMax: 2, statementTimeoutMs: 1_000 })
  onTestFinished(() => connection.close())
  return connection
}

async function aClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
