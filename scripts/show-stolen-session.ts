import path from 'node:path'
import { parseArgs } from 'node:util'
import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { writeObservation } from '@placard/client/observations'
import { addObservations } from '../apps/server/src/capabilities/geo-profile/ingest/store-queue.ts'
import { readConfig } from '../apps/server/src/settings/config.ts'
import { connect } from '../apps/server/src/platform/database/connect.ts'
import { findRunning } from '../apps/server/src/platform/database/embedded.ts'

/**
 * `npm run show-stolen-session`, beside a running demo: a user signs in twice, and the second session is a thief's in
 * another country. Shadow mode records it, and blocking blocks it once it is on. The owner's session continues.
 */
const { values } = parseArgs({
  options: { address: { type: 'string', default: 'http://127.0.0.1:8080' } },
})
const API = `${values.address}/api/v1`
const PASSWORD = 'placard demo password'
const HOME = Uint8Array.of(84, 128, 0, 1) // Germany, in the bundled Geo-IP file.
const ABROAD = Uint8Array.of(113, 160, 0, 1) // Vietnam.
const WAIT_MAX_MS = 30_000

const say = (text: string) => console.error(text)

interface Session {
  readonly accountId: string
  readonly userId: string
  readonly sessionId: string
  readonly headers: Readonly<Record<string, string>>
}

async function call<Answer>(
  url: string,
  { headers = {}, method = 'GET', body }: { headers?: object; method?: string; body?: object } = {},
): Promise<Answer & { readonly code?: string }> {
  const answer = await fetch(`${API}/${url}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Answer & { code?: string }
}

async function signIn(name: string): Promise<Session> {
  const body = { email: `${name}@demo.placard.example`, password: PASSWORD }
  const signedIn = await call<{ accessToken: string }>('auth/sign-in', { method: 'POST', body })
  const headers = { authorization: `Bearer ${signedIn.accessToken}` }
  const me = await call<{ id: string; user: { accountId: string } }>('me', { headers })
  const [, claims = ''] = signedIn.accessToken.split('.')
  const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string }
  return { userId: me.id, accountId: me.user.accountId, sessionId: sid, headers }
}

/** HTTP accepts no observations of the past, so they are written to the queue. */
async function liveTwentyDays({ owner, thief }: { owner: Session; thief: Session }): Promise<void> {
  const config = readConfig(process.env)
  const running = await findRunning(path.join(path.resolve(config.PLACARD_HOME), 'postgres'))
  const url = config.DATABASE_URL ?? running?.url
  if (!url) throw new Error('No demo is running. Start one with `npm start`.')
  const { db, close } = connect({ url, connectionsMax: 1, statementTimeoutMs: 30_000 })
  const see = async ({ userId, sessionId }: Session, ipAddress: Uint8Array, atMs: number) => {
    const observation = { userId, deviceSessionId: sessionId, ipAddress }
    await addObservations(db, [observation, observation], {
      at: new Date(atMs),
      switchName: 'geo-profile.ingest',
    })
  }
  const startMs = Date.now() - 20 * DAY_MS
  for (let day = 0; day < 20; day++) {
    const atMs = startMs + day * DAY_MS
    for (const hours of [0, 0.2, 0.4]) await see(owner, HOME, atMs + hours * HOUR_MS)
    if (day < 16) continue
    for (const hours of [10, 10.2]) await see(thief, ABROAD, atMs + hours * HOUR_MS)
  }
  await close()
}

/** Reports both sessions at the same time, like an edge. */
async function meet(sessions: { owner: Session; thief: Session }, key: string): Promise<void> {
  const observations = [
    { ...sessions.owner, ipAddress: HOME },
    { ...sessions.thief, ipAddress: ABROAD },
  ]
  for (let time = 0; time < 3; time++) {
    for (const { userId, sessionId: deviceSessionId, ipAddress } of observations) {
      const answer = await fetch(`${values.address}/internal/v1/observations`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/octet-stream' },
        body: writeObservation({ userId, deviceSessionId, ipAddress }).slice(),
      })
      if (answer.status !== 202) throw new Error(`An observation got ${answer.status}`)
    }
  }
}

async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  const endMs = Date.now() + WAIT_MAX_MS
  while (Date.now() < endMs) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  throw new Error(`This did not happen: ${what}`)
}

interface Profile {
  readonly block_actions: readonly { readonly device_session_id: string; readonly state: string }[]
}

const operator = await signIn('operator')
const trust = await signIn('trust')
const owner = await signIn('gazette')
const thief = await signIn('gazette')
const setSwitch = (isOn: boolean) =>
  call('admin/switches/geo-profile.blocking', {
    method: 'PUT',
    headers: operator.headers,
    body: { isOn, note: 'show-stolen-session' },
  })
const actionIn = (state: string) => async () => {
  const { block_actions: actions } = await call<Profile>(
    `internal/users/${owner.userId}/geo-profile`,
    { headers: trust.headers },
  )
  return actions.find((one) => one.device_session_id === thief.sessionId && one.state === state)
}

const { key } = await call<{ key: string }>('admin/api-keys', {
  method: 'POST',
  headers: operator.headers,
  body: {
    name: 'show-stolen-session',
    accountId: operator.accountId,
    scopes: ['observations:write'],
  },
})
await setSwitch(false)
say('20 days: the owner in Germany, and in the last four nights a thief in Vietnam')
await liveTwentyDays({ owner, thief })
await meet({ owner, thief }, key)
const shadow = await until('flagged in shadow mode', actionIn('skipped_shadow'))
say(`Flagged in shadow mode: session ${shadow.device_session_id}; it still works`)
const before = await call('me', { headers: thief.headers })

await setSwitch(true)
await meet({ owner, thief }, key)
await until('blocked', actionIn('succeeded'))
const after = await call('me', { headers: thief.headers })
const ownerAfter = await call('me', { headers: owner.headers })
await setSwitch(false)
say(
  `Blocking switched on: the thief gets ${after.code}, the owner continues. Blocking is off again`,
)
console.log(
  JSON.stringify({
    flagged: 'skipped_shadow',
    thiefBefore: before.code ?? 'ok',
    thiefAfter: after.code ?? 'ok',
    ownerAfter: ownerAfter.code ?? 'ok',
  }),
)
