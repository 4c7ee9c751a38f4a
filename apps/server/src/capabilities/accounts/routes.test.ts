import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  addUser,
  addKey,
  PASSWORD,
  signInAs,
  startServer,
  type TestServer,
} from '../../testing/server.ts'

const post = (
  server: TestServer,
  url: string,
  request: { payload?: object; headers?: Record<string, string> } = {},
) => server.http.inject({ method: 'POST', url, ...request } as never)

describe('signing in', () => {
  test('a person who signs in can read who they are', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')

    const { headers } = await signInAs(server, email)
    const me = await server.http.inject({ url: '/api/v1/me', headers })

    expect(me.json()).toMatchObject({ kind: 'user', user: { email, role: 'operator' } })
  })

  test('a wrong password and an unknown address get the same answer', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')
    const signIn = (payload: object) => post(server, '/api/v1/auth/sign-in', { payload })

    const wrong = await signIn({ email, password: 'not the password' })
    const unknown = await signIn({ email: 'nobody@test.example', password: PASSWORD })

    expect(wrong.statusCode).toBe(401)
    expect({ ...unknown.json(), instance: '' }).toEqual({ ...wrong.json(), instance: '' })
  })

  test('sign-in attempts are limited per address', async () => {
    const server = await startServer({ SIGN_IN_PERMITS_PER_MINUTE: '2' })
    const payload = { email: 'nobody@test.example', password: 'guess' }

    const codes = []
    for (let attempt = 0; attempt < 3; attempt++) {
      codes.push((await post(server, '/api/v1/auth/sign-in', { payload })).statusCode)
    }

    expect(codes).toEqual([401, 401, 429])
  })

  test('an access token expires after 15 minutes', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, email)

    server.deps.clock.advance(15 * 60 + 1)

    const me = await server.http.inject({ url: '/api/v1/me', headers })
    expect(me.json()).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_REFUSED' })
  })
})

describe('refresh tokens', () => {
  test('a refresh token works once and brings the next one', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')
    const { refreshToken } = await signInAs(server, email)

    const first = await post(server, '/api/v1/auth/refresh', { payload: { refreshToken } })
    const next = first.json().refreshToken
    const second = await post(server, '/api/v1/auth/refresh', { payload: { refreshToken: next } })

    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    expect(next).not.toBe(refreshToken)
  })

  test('a refresh token used twice ends the whole session', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')
    const { refreshToken } = await signInAs(server, email)
    const refresh = (token: string) =>
      post(server, '/api/v1/auth/refresh', { payload: { refreshToken: token } })
    const next = (await refresh(refreshToken)).json()

    const reused = await refresh(refreshToken)

    expect(reused.json()).toMatchObject({ status: 401, code: 'REFRESH_REFUSED' })
    expect((await refresh(next.refreshToken)).statusCode).toBe(401)
    const headers = { authorization: `Bearer ${next.accessToken}` }
    const me = await server.http.inject({ url: '/api/v1/me', headers })
    expect(me.json()).toMatchObject({ code: 'SESSION_ENDED' })
  })

  test('when a refresh token is used twice at the same moment, one wins and the session ends', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')
    const { refreshToken } = await signInAs(server, email)
    const refresh = () => post(server, '/api/v1/auth/refresh', { payload: { refreshToken } })

    const codes = (await Promise.all([refresh(), refresh()])).map(({ statusCode }) => statusCode)

    expect(new Set(codes)).toEqual(new Set([200, 401]))
  })
})

describe('device sessions', () => {
  test('a blocked session stops working at its next request, and blocking it again is not an error', async () => {
    const server = await startServer()
    const operator = await signInAs(server, (await addUser(server.deps, 'operator')).email)
    const victim = await signInAs(server, (await addUser(server.deps, 'advertiser')).email)
    const block = () =>
      post(server, `/api/v1/admin/sessions/${victim.sessionId}/block`, {
        headers: operator.headers,
        payload: { reasonCode: 'suspicious' },
      })

    const blocked = await block()

    expect(blocked.json()).toMatchObject({ reasonCode: 'suspicious', id: victim.sessionId })
    const me = await server.http.inject({ url: '/api/v1/me', headers: victim.headers })
    expect(me.json()).toMatchObject({ code: 'SESSION_BLOCKED' })
    expect((await block()).json()).toEqual(blocked.json())
  })

  test('a blocked person reads why, in plain words, and whom to ask', async () => {
    const server = await startServer({ SUPPORT_CONTACT: 'safety@company.example' })
    const operator = await signInAs(server, (await addUser(server.deps, 'operator')).email)
    const victim = await signInAs(server, (await addUser(server.deps, 'advertiser')).email)
    await post(server, `/api/v1/admin/sessions/${victim.sessionId}/block`, {
      headers: operator.headers,
      payload: { reasonCode: 'shared_account' },
    })

    const answers = [
      await server.http.inject({ url: '/api/v1/me', headers: victim.headers }),
      await post(server, '/api/v1/auth/refresh', {
        payload: { refreshToken: victim.refreshToken },
      }),
    ]

    for (const answer of answers) {
      expect(answer.json().detail).toMatch(
        /^It looked as if several people were using one sign-in\. .* ask safety@company\.example\.$/,
      )
    }
  })

  test('an unblocked session goes on where it was, with the reason in the audit log', async () => {
    const server = await startServer()
    const operator = await signInAs(server, (await addUser(server.deps, 'operator')).email)
    const user = await signInAs(server, (await addUser(server.deps, 'advertiser')).email)
    const change = (how: string, reasonCode: string) =>
      post(server, `/api/v1/admin/sessions/${user.sessionId}/${how}`, {
        headers: operator.headers,
        payload: { reasonCode },
      })
    await change('block', 'stolen_session')

    const unblocked = await change('unblock', 'confirmed_by_person')
    const again = await change('unblock', 'other')

    expect(unblocked.json()).toMatchObject({ blockedAt: null, reasonCode: 'confirmed_by_person' })
    expect(again.json()).toEqual(unblocked.json())
    const me = await server.http.inject({ url: '/api/v1/me', headers: user.headers })
    expect(me.statusCode).toBe(200)
    const url = `/api/v1/admin/audit-log?entityId=${user.sessionId}&action=session.unblock`
    const log = await server.http.inject({ url, headers: operator.headers })
    expect(log.json().items).toMatchObject([
      {
        action: 'session.unblock',
        before: { reasonCode: 'stolen_session' },
        after: { reasonCode: 'confirmed_by_person' },
      },
    ])
  })

  test('people see and end only their own sessions', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'advertiser')
    const phone = await signInAs(server, email)
    const laptop = await signInAs(server, email)
    const stranger = await signInAs(server, (await addUser(server.deps, 'advertiser')).email)
    const end = (headers: Record<string, string>) =>
      server.http.inject({
        method: 'DELETE',
        url: `/api/v1/me/sessions/${phone.sessionId}`,
        headers,
      })

    const list = await server.http.inject({ url: '/api/v1/me/sessions', headers: laptop.headers })

    expect(list.json().items.map(({ id }: { id: string }) => id)).toEqual([
      laptop.sessionId,
      phone.sessionId,
    ])
    expect((await end(stranger.headers)).statusCode).toBe(404)
    expect((await end(laptop.headers)).statusCode).toBe(204)
    const me = await server.http.inject({ url: '/api/v1/me', headers: phone.headers })
    expect(me.json()).toMatchObject({ code: 'SESSION_ENDED' })
  })

  test('a new password ends every session', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'advertiser')
    const { headers } = await signInAs(server, email)
    const change = (currentPassword: string) =>
      post(server, '/api/v1/me/password', {
        headers,
        payload: { currentPassword, newPassword: 'a wholly different password' },
      })

    expect((await change('wrong')).json()).toMatchObject({ code: 'PASSWORD_WRONG' })
    expect((await change(PASSWORD)).statusCode).toBe(204)

    expect((await server.http.inject({ url: '/api/v1/me', headers })).statusCode).toBe(401)
  })

  test('a deactivated user is signed out everywhere', async () => {
    const server = await startServer()
    const operator = await signInAs(server, (await addUser(server.deps, 'operator')).email)
    const user = await addUser(server.deps, 'advertiser')
    const session = await signInAs(server, user.email)

    await server.http.inject({
      method: 'PATCH',
      url: `/api/v1/admin/users/${user.publicId}`,
      headers: operator.headers,
      payload: { isActive: false },
    })

    const me = await server.http.inject({ url: '/api/v1/me', headers: session.headers })
    expect(me.statusCode).toBe(401)
  })
})

describe('users', () => {
  test('the last active operator cannot be deactivated', async () => {
    const server = await startServer()
    const { publicId, email } = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, email)

    const response = await server.http.inject({
      method: 'PATCH',
      url: `/api/v1/admin/users/${publicId}`,
      headers,
      payload: { isActive: false },
    })

    expect(response.json()).toMatchObject({ status: 409, code: 'LAST_OPERATOR' })
    expect((await server.http.inject({ url: '/api/v1/me', headers })).statusCode).toBe(200)
  })

  test('a role that the kind of account cannot hold is refused', async () => {
    const server = await startServer()
    const operator = await addUser(server.deps, 'operator')
    const advertiser = await addUser(server.deps, 'advertiser')
    const { headers } = await signInAs(server, operator.email)

    const response = await post(server, '/api/v1/admin/users', {
      headers,
      payload: {
        accountId: advertiser.account.publicId,
        email: 'new@test.example',
        displayName: 'New',
        role: 'operator',
        password: PASSWORD,
      },
    })

    expect(response.json()).toMatchObject({ status: 400, code: 'ROLE_NOT_FOR_ACCOUNT' })
  })

  test('only the identity contract writes the declared country', async () => {
    const server = await startServer()
    const operator = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, operator.email)
    const machine = await addKey(server, {
      ...operator,
      scopes: ['identity:read', 'identity:write'],
    })
    const url = `/api/v1/admin/users/${operator.publicId}`
    const payload = { declaredCountry: 'DE' }
    const sync = (headers: Record<string, string>) =>
      server.http.inject({
        method: 'PUT',
        url: `/api/v1/internal/users/${operator.publicId}/declared-country`,
        headers,
        payload: {
          declared_country: 'DE',
          reason_code: 'approved',
          actor: { type: 'service', id: 'geoprofile' },
        },
      })

    const patched = await server.http.inject({ method: 'PATCH', url, headers, payload })
    const byPerson = await sync(headers)
    const byMachine = await sync(machine)

    expect([patched.statusCode, byPerson.statusCode, byMachine.statusCode]).toEqual([400, 403, 200])
    const user = await server.http.inject({ url, headers })
    expect(user.json()).toMatchObject({ declaredCountry: 'DE' })
  })
})

describe('API keys', () => {
  test('a key may do what its scopes say until it is revoked', async () => {
    const server = await startServer()
    const operator = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, operator.email)
    const made = await post(server, '/api/v1/admin/api-keys', {
      headers,
      payload: {
        name: 'reader',
        accountId: operator.account.publicId,
        scopes: ['users:read'],
      },
    })
    const { id, key } = made.json()
    const list = (url: string) => server.http.inject({ url, headers: { 'x-api-key': key } })

    expect((await list('/api/v1/admin/users')).statusCode).toBe(200)
    expect((await list('/api/v1/admin/accounts')).statusCode).toBe(403)
    await post(server, `/api/v1/admin/api-keys/${id}/revoke`, { headers })
    expect((await list('/api/v1/admin/users')).json()).toMatchObject({ code: 'API_KEY_REFUSED' })
  })

  test('a key creates only keys with a part of its own scopes, even if it may do all that operators may', async () => {
    const server = await startServer()
    const operator = await addUser(server.deps, 'operator')
    const scopes = ['keys:write', 'accounts:write', 'campaigns:read']
    const headers = await addKey(server, { ...operator, scopes })
    const make = (scopes: string[]) =>
      post(server, '/api/v1/admin/api-keys', {
        headers,
        payload: { name: 'grown', accountId: operator.account.publicId, scopes },
      })

    const grown = [
      await make(['identity:write']),
      await make(['campaigns:write']),
      await make(['keys:write', 'observations:write']),
    ]

    for (const answer of grown) {
      expect(answer.json()).toMatchObject({ status: 400, code: 'SCOPE_REFUSED' })
    }
    expect((await make(['campaigns:read', 'keys:write'])).statusCode).toBe(201)
  })

  test('neither the list nor the audit log shows a key or a password', async () => {
    const server = await startServer()
    const operator = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, operator.email)
    const { 'x-api-key': key } = await addKey(server, { ...operator, scopes: ['users:read'] })

    const keys = await server.http.inject({ url: '/api/v1/admin/api-keys', headers })
    const log = await server.http.inject({ url: '/api/v1/admin/audit-log', headers })

    expect(keys.json().items).toHaveLength(1)
    expect(`${keys.body}${log.body}`).not.toContain(key)
    expect(`${keys.body}${log.body}`).not.toMatch(/passwordHash|keyHash/)
  })
})

test('access tokens of a company’s own sign-in are accepted for known users', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] })
  const issuer = createServer((_request, response) => response.end(jwks)).listen(0, '127.0.0.1')
  onTestFinished(() => void issuer.close())
  await new Promise((resolve) => issuer.once('listening', resolve))
  const server = await startServer({
    JWT_EXTERNAL_JWKS_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`,
    JWT_EXTERNAL_ISSUER: 'https://login.company.example',
    JWT_EXTERNAL_AUDIENCE: 'placard',
  })
  const { email } = await addUser(server.deps, 'ad-ops')
  const me = async (claims: object, audience = 'placard') => {
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer('https://login.company.example')
      .setAudience(audience)
      .setExpirationTime(server.deps.clock.now().getTime() / 1_000 + 60)
      .sign(privateKey)
    const headers = { authorization: `Bearer ${token}` }
    return (await server.http.inject({ url: '/api/v1/me', headers })).statusCode
  }

  const verified = { email_verified: true }
  expect(await me({ email, ...verified })).toBe(200)
  expect(await me({ email })).toBe(401)
  expect(await me({ email, email_verified: false })).toBe(401)
  expect(await me({ email: 'stranger@company.example', ...verified })).toBe(401)
  expect(await me({ email, ...verified }, 'somebody else')).toBe(401)
})
