import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addUser, startServer } from '../../../testing/server.ts'
import { withAuthenticator } from '../factors/testing-calls.ts'

const AUDIENCE = 'placard-of-a-company'

/** An issuer of access tokens that publishes its keys. */
async function anIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }]
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      JWT_EXTERNAL_JWKS_URL: `${issuer}/keys`,
      JWT_EXTERNAL_ISSUER: issuer,
      JWT_EXTERNAL_AUDIENCE: AUDIENCE,
      SIGN_IN_PERMITS_PER_MINUTE: '1000',
    },
    tokenOf: (claims: JWTPayload, atMs: number) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setIssuedAt(new Date(atMs))
        .setExpirationTime(new Date(atMs + 60_000))
        .sign(privateKey),
  }
}

async function aCompany(settings: Readonly<Record<string, string>> = {}) {
  const issuer = await anIssuer()
  const server = await startServer({ ...issuer.settings, ...settings })
  const ask = async (claims: JWTPayload) => {
    const token = await issuer.tokenOf(claims, server.deps.clock.now().getTime())
    const headers = { authorization: `Bearer ${token}` }
    const answer = await server.http.inject({ url: '/api/v1/admin/campaigns?limit=1', headers })
    return answer.statusCode === 200 ? 200 : answer.json<{ code: string }>().code
  }
  return { server, ask }
}

test('a token of another issuer is its user’s, if the issuer has verified the address', async () => {
  const { server, ask } = await aCompany()
  const { email } = await addUser(server.deps, 'ad-ops')

  expect(await ask({ email, email_verified: true })).toBe(200)
  expect(await ask({ email, email_verified: false })).toBe('ACCESS_TOKEN_REFUSED')
  expect(await ask({ email })).toBe('ACCESS_TOKEN_REFUSED')
  expect(await ask({ email: 'nobody@test.example', email_verified: true })).toBe(
    'ACCESS_TOKEN_REFUSED',
  )
})

test('users who need or have a second factor get in only with a token that proves one', async () => {
  const { server, ask } = await aCompany({ FACTOR_REQUIRED_ROLES: 'operator' })
  const operator = await addUser(server.deps, 'operator')
  const { email } = await withAuthenticator(server, 'advertiser')

  for (const user of [operator.email, email]) {
    const claims = { email: user, email_verified: true }
    expect(await ask(claims)).toBe('TOKEN_WITHOUT_FACTOR')
    expect(await ask({ ...claims, amr: ['pwd'] })).toBe('TOKEN_WITHOUT_FACTOR')
    expect(await ask({ ...claims, amr: ['pwd', 'otp'] })).toBe(200)
  }
})

test('an operator may say that the issuer always asks for a second factor', async () => {
  const { server, ask } = await aCompany({
    FACTOR_REQUIRED_ROLES: 'operator',
    JWT_EXTERNAL_TRUSTS_FACTOR: 'on',
  })
  const { email } = await addUser(server.deps, 'operator')

  expect(await ask({ email, email_verified: true })).toBe(200)
})
