import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { seededRandom, fixedClock } from '../../testing/fixed.ts'
import { idsFrom } from '../ids.ts'
import { Problem } from '../problem.ts'
import { httpProblems } from './problems.ts'
import type { Principal } from './principal.ts'
import { createHttp } from './server.ts'

const KNOWN: Principal = {
  kind: 'key',
  id: 'key',
  name: 'key',
  accountId: 1n,
  isPlatform: false,
  permissions: new Set(),
}

/** A public route that tells whether it knows who calls. */
async function aPublicRoute(config: { knowsCallers?: boolean } = { knowsCallers: true }) {
  const asked: unknown[] = []
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: idsFrom({ clock: fixedClock(), random: seededRandom() }),
    trustedProxies: [],
    permitsPerMinute: 1,
    async identify({ headers }) {
      const key = headers['x-api-key']
      asked.push(key)
      if (key === 'good') return KNOWN
      throw new Problem(httpProblems.unauthenticated, 'Ask for a new key.')
    },
  })
  http.get('/who', { config: { access: 'public', ...config } }, ({ principal }) => ({
    name: principal?.name ?? 'nobody',
  }))
  onTestFinished(() => http.close())
  const ask = (headers = {}) => http.inject({ url: '/who', headers })
  return { asked, ask }
}

test('a public route knows a caller who sends a key, and asks nobody else for one', async () => {
  const { ask, asked } = await aPublicRoute()

  expect((await ask()).json()).toEqual({ name: 'nobody' })
  expect((await ask({ 'x-api-key': 'good' })).json()).toEqual({ name: 'key' })
  expect(asked).toEqual(['good'])
})

test('a key is looked up once for many calls of a public route', async () => {
  const { ask, asked } = await aPublicRoute()

  for (let call = 0; call < 3; call++) await ask({ 'x-api-key': 'good' })

  expect(asked).toEqual(['good'])
})

test('a key that is no good is refused, and not remembered', async () => {
  const { ask, asked } = await aPublicRoute()

  expect((await ask({ 'x-api-key': 'bad' })).statusCode).toBe(401)
  expect((await ask({ 'x-api-key': 'bad' })).statusCode).toBe(401)
  expect(asked).toEqual(['bad', 'bad'])
})

test('a public route that knows no callers does not look', async () => {
  const { ask, asked } = await aPublicRoute({})

  expect((await ask({ 'x-api-key': 'bad' })).json()).toEqual({ name: 'nobody' })
  expect(asked).toEqual([])
})
