import { DAY_MS } from '@placard/calendar'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepBlockedSessions } from '../tracking/index.ts'
import { addObservations } from './ingest/store-queue.ts'
import { sessionBlockAction } from './tables.ts'
import { baseOf } from '../../compose/base.ts'
import { geoProfileWorker } from './module.ts'
import { readConfig } from '../../settings/config.ts'
import { manualTimers } from '../../platform/background/manual-timers.ts'
import { addUser, SECRETS, signInAs, startServer, type TestServer } from '../../testing/server.ts'

const HOME = '84.128.0.1' // Germany, in the bundled Geo-IP file.
const ABROAD = '113.160.0.1' // Vietnam.
const settings = { TRUSTED_PROXIES: '127.0.0.1', GEO_PROFILE_SENSITIVITY: 'standard' }

type Headers = Readonly<Record<string, string>>

/** Reads one's own account from that address. */
const readOwnAccount = ({ http }: TestServer, headers: Headers, address: string) =>
  http.inject({ url: '/api/v1/me', headers: { ...headers, 'x-forwarded-for': address } })

/** The same session, days later. */
async function headersOf({ http }: TestServer, refreshToken: string): Promise<Headers> {
  const url = '/api/v1/auth/refresh'
  const answer = await http.inject({ method: 'POST', url, payload: { refreshToken } })
  return { authorization: `Bearer ${answer.json<{ accessToken: string }>().accessToken}` }
}

/** Twenty days of an owner at home and, on the last four, a stranger at night. */
async function liveTwentyDays(
  { deps }: TestServer,
  { userId, owner, thief }: { userId: string; owner: string; thief: string },
): Promise<void> {
  const see = async (deviceSessionId: string, ipAddress: Uint8Array, hours: number) => {
    const at = new Date(deps.clock.now().getTime() + hours * 3_600_000)
    const note = { userId, deviceSessionId, ipAddress }
    await addObservations(deps.db, [note, note], { at, switchName: 'geo-profile.ingest' })
  }
  const start = deps.clock.now().getTime()
  for (let day = 0; day < 20; day++) {
    deps.clock.moveTo(new Date(start + day * DAY_MS).toISOString())
    for (const hours of [0, 0.2, 0.4]) await see(owner, Uint8Array.of(84, 128, 0, 1), hours)
    if (day < 16) continue
    for (const hours of [10, 10.2]) await see(thief, Uint8Array.of(113, 160, 0, 1), hours)
  }
  deps.clock.moveTo(new Date(start + 20 * DAY_MS).toISOString())
}

test('stage 24: a stolen session is flagged in shadow mode, then blocked once blocking is switched on', async () => {
  const server = await startServer({ ...settings, JWT_REFRESH_TOKEN_EXPIRY_DAYS: '60' })
  const { deps, http } = server
  const { publicId: userId, email } = await addUser(deps, 'advertiser')
  const { email: operatorEmail } = await addUser(deps, 'operator')
  const { sessionId: owner, refreshToken: ownerToken } = await signInAs(server, email)
  const { sessionId: thief, refreshToken: thiefToken } = await signInAs(server, email)
  const worker = await geoProfileWorker({
    ...baseOf({
      ...deps,
      ...server.connection,
      secrets: SECRETS,
      config: readConfig(settings),
      log: pino({ level: 'silent' }),
      metrics: new Registry(),
    }),
    jobs: { enqueue: async () => undefined },
  })
  await worker.start?.()
  onTestFinished(() => worker.stop?.())
  await liveTwentyDays(server, { userId, owner, thief })

  const ownerHeaders = await headersOf(server, ownerToken)
  const thiefHeaders = await headersOf(server, thiefToken)
  const meet = async () => {
    for (let minute = 0; minute < 3; minute++) {
      expect((await readOwnAccount(server, ownerHeaders, HOME)).statusCode).toBe(200)
      expect((await readOwnAccount(server, thiefHeaders, ABROAD)).statusCode).toBe(200)
      deps.clock.advance(120)
    }
  }
  const actions = () => deps.db.select().from(sessionBlockAction)

  await meet()
  await vi.waitFor(async () => expect(await actions()).toHaveLength(1), 20_000)
  expect(await actions()).toMatchObject([{ deviceSessionId: thief, state: 'skipped_shadow' }])

  const operator = (await signInAs(server, operatorEmail)).headers
  const turned = await http.inject({
    method: 'PUT',
    url: '/api/v1/admin/switches/geo-profile.blocking',
    headers: operator,
    payload: { isOn: true, note: 'shadow mode was right' },
  })
  expect(turned.statusCode).toBe(200)
  await meet()
  await vi.waitFor(async () => {
    expect((await readOwnAccount(server, thiefHeaders, ABROAD)).json()).toMatchObject({
      code: 'SESSION_BLOCKED',
    })
  }, 20_000)

  expect((await readOwnAccount(server, ownerHeaders, HOME)).statusCode).toBe(200)
  expect(await actions()).toMatchObject([{ deviceSessionId: thief, state: 'succeeded' }])
  const blocked = await keepBlockedSessions({
    db: deps.db,
    timers: manualTimers(),
    onError: () => {},
  })
  onTestFinished(() => blocked.stop())
  expect([blocked.isBlocked(thief), blocked.isBlocked(owner)]).toEqual([true, false])

  deps.clock.advance(1)
  await http.inject({
    method: 'POST',
    url: `/api/v1/admin/sessions/${thief}/unblock`,
    headers: operator,
    payload: { reasonCode: 'known_traveller' },
  })
  await blocked.refresh()
  expect(blocked.isBlocked(thief)).toBe(false)
}, 60_000)
