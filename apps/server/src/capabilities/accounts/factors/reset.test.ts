import { describe, expect, test } from 'vitest'
import { removeFactorsOf } from '../../../compose/operator.ts'
import { readConfig } from '../../../settings/config.ts'
import { addAuthenticator } from '../../../testing/factors.ts'
import { scratchFolder, SECRETS, startServer } from '../../../testing/server.ts'
import { startMailing } from '../../../testing/worlds/mailing-world.ts'
import { call, halfWay, sendCode, signedIn, signIn, withAuthenticator } from './testing-calls.ts'

describe('an operator resets the factors of somebody else', () => {
  test('they sign in with the password alone again, and their sessions have ended', async () => {
    const server = await startServer()
    const operator = await withAuthenticator(server, 'operator')
    const { publicId, email, headers } = await withAuthenticator(server)
    const waiting = await halfWay(server, email)

    const reset = await call(server, `POST /admin/users/${publicId}/reset-factors`, {
      headers: operator.headers,
    })

    expect(reset.statusCode).toBe(204)
    expect((await call(server, 'GET /me', { headers })).statusCode).toBe(401)
    expect((await sendCode(server, waiting, '000000')).json().code).toBe('SIGN_IN_EXPIRED')
    expect((await signIn(server, email)).statusCode).toBe(200)
    const log = await call(server, `GET /admin/audit-log?entityId=${publicId}`, {
      headers: operator.headers,
    })
    expect(log.json().items[0]).toMatchObject({
      action: 'user.reset-factors',
      actorId: operator.publicId,
    })
  })

  test('nobody resets their own: that takes a fresh proof', async () => {
    const server = await startServer()
    const { publicId, headers } = await withAuthenticator(server, 'operator')

    const reset = await call(server, `POST /admin/users/${publicId}/reset-factors`, { headers })

    expect(reset.json()).toMatchObject({ status: 409, code: 'OWN_FACTORS' })
  })
})

test('people are told by mail when a factor is added, used up, limited, removed or reset, and the audit log has it', async () => {
  const mailing = await startMailing()
  const operator = await signedIn(mailing, 'operator')
  const { email, publicId, headers, recoveryCodes, factorId } = await withAuthenticator(mailing)
  await sendCode(mailing, await halfWay(mailing, email), recoveryCodes[0]!)
  const token = await halfWay(mailing, email)
  for (let at = 0; at < 11; at++) await sendCode(mailing, token, '000000')
  await call(mailing, 'POST /me/recovery-codes', { headers })
  await call(mailing, `DELETE /me/factors/${factorId}`, { headers })
  mailing.deps.clock.advance(30)
  await addAuthenticator(mailing, headers)
  await call(mailing, `POST /admin/users/${publicId}/reset-factors`, { headers: operator.headers })

  for (const subject of [
    /A second factor was added/,
    /A recovery code .* was used/,
    /Many wrong codes/,
    /New recovery codes/,
    /A second factor was removed/,
    /The second factors .* were removed/,
  ]) {
    expect(await mailing.mailTo(email, subject)).toBeDefined()
  }
  const log = await call(mailing, `GET /admin/audit-log?limit=100&entityId=${publicId}`, {
    headers: operator.headers,
  })
  const actions = log.json<{ items: { action: string }[] }>().items.map(({ action }) => action)
  expect(new Set(actions)).toEqual(
    new Set([
      'user.add-factor',
      'user.use-recovery-code',
      'user.factor-failed',
      'user.factors-limited',
      'user.renew-recovery-codes',
      'user.remove-factor',
      'user.reset-factors',
    ]),
  )
})

test('whoever holds the database resets somebody’s factors by the command line, with a mail and in the audit log', async () => {
  const mailing = await startMailing()
  const operator = await signedIn(mailing, 'operator')
  const { email, publicId } = await withAuthenticator(mailing)
  const { url } = mailing.connection
  const config = readConfig({
    DATABASE_URL: url,
    PLACARD_HOME: await scratchFolder(),
    ENCRYPTION_SECRET: SECRETS.encryptionSecret,
    ...mailing.settings,
  })

  const [known, unknown] = [
    await removeFactorsOf(config, email.toUpperCase()),
    await removeFactorsOf(config, 'nobody@test.example'),
  ]

  expect([known, unknown]).toEqual([true, false])
  expect((await signIn(mailing, email)).statusCode).toBe(200)
  expect(await mailing.mailTo(email, /The second factors .* were removed/)).toBeDefined()
  const log = await call(mailing, `GET /admin/audit-log?entityId=${publicId}`, {
    headers: operator.headers,
  })
  expect(log.json().items[0]).toMatchObject({
    action: 'user.reset-factors',
    actorName: 'The command line of the operator',
  })
})
