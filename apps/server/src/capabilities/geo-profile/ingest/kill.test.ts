import { writeObservation } from '@placard/client/observations'
import { expect, test, vi } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { startPlacard } from '../../../testing/services/process.ts'
import { addKey, scratchFolder } from '../../../testing/server.ts'
import { addAccount, depsOn } from '../../../testing/world.ts'
import { until } from '../../../testing/until.ts'

vi.setConfig({ testTimeout: 120_000 })

const SETTINGS = {
  PLACARD_MODE: 'production',
  LOG_LEVEL: 'silent',
  JWT_SECRET: 'a secret for tests, long enough to sign',
  USER_KEY_SECRET: 'a secret for tests, long enough to hash',
  ENCRYPTION_SECRET: 'a secret for tests, long enough to encrypt',
  TRACKING_KEYS: '1:a-secret-of-the-tests-long-enough-to-seal',
}
const SENDERS = 8

/** A new user each time, so that every observation leaves its own fact. */
const messageOf = (number: number) =>
  writeObservation({
    userId: `user-${number}`,
    deviceSessionId: `session-${number}`,
    ipAddress: Uint8Array.of(84, 128, 0, 1),
  })

/** Reports users as fast as possible until the server is dead. Returns the users it accepted. */
async function reportUntilItDies(address: string, headers: Readonly<Record<string, string>>) {
  const accepted: string[] = []
  let next = 0
  const isDead = async () => {
    const number = next++
    try {
      const answer = await fetch(`${address}/internal/v1/observations`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: messageOf(number).slice(),
      })
      if (answer.status === 202) accepted.push(`user-${number}`)
      return false
    } catch {
      return true
    }
  }
  const send = () => until('the server no longer answers', isDead)
  const done = Promise.all(Array.from({ length: SENDERS }, send))
  return { accepted, done }
}

test('stage 05: an accepted observation is processed once, even if the server and then the worker are killed', async () => {
  const connection = await freshDatabase()
  const deps = depsOn(connection)
  const account = await addAccount(deps, 'platform')
  const headers = await addKey({ deps }, { account, scopes: ['observations:write'] })
  const settings = {
    ...SETTINGS,
    DATABASE_URL: connection.url,
    PLACARD_HOME: await scratchFolder(),
  }
  const api = startPlacard({ ...settings, PLACARD_ROLE: 'api' })
  const [address = ''] = /http:\/\/\S+/.exec(await api.says('Placard is ready on')) ?? []

  const { accepted, done } = await reportUntilItDies(address, headers)
  await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(200), 60_000)
  api.kill('SIGKILL')
  await done
  const count = async (what: string) =>
    Number((await connection.pool.query(`select count(*) from ${what}`)).rows[0].count)
  const first = startPlacard({ ...settings, PLACARD_ROLE: 'worker', GEO_PROFILE_BATCH_MAX: '20' })
  await vi.waitFor(
    async () => expect(await count('country_observation')).toBeGreaterThan(0),
    60_000,
  )
  first.kill('SIGKILL')
  await first.ended
  // Ends the dead worker's lease.
  await connection.pool.query(
    `update observation_queue set available_at = now() - interval '1 second' where state = 'processing'`,
  )
  startPlacard({ ...settings, PLACARD_ROLE: 'worker' })

  const open = `observation_queue where state <> 'processed'`
  await vi.waitFor(async () => expect(await count(open)).toBe(0), 60_000)
  const { rows } = await connection.pool.query(
    'select user_id, observations from country_observation',
  )
  const seen = new Map(rows.map((row) => [row.user_id as string, Number(row.observations)]))
  expect(accepted.filter((user) => seen.get(user) !== 1)).toEqual([])
  expect([...seen.values()].every((observations) => observations === 1)).toBe(true)
})
