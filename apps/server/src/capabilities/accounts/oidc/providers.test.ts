import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TestIdentityProvider } from '../../../testing/services/identity-provider.ts'
import { addAccount } from '../../../testing/world.ts'
import { auditLog } from '../tables.ts'
import { identityProviders } from './tables.ts'
import { PUBLIC_URL, startCompany, startConnected } from './testing.ts'

const ends: (() => Promise<void>)[] = []
let company: TestIdentityProvider

beforeAll(async () => {
  company = await startCompany({ atEnd: (end) => void ends.unshift(end), hasFullTokens: true })
  company.people.set('ada', {
    email: 'ada@company.example',
    emailVerified: true,
    groups: ['ad-operations'],
  })
})
afterAll(async () => {
  for (const end of ends) await end()
})

const UNREACHABLE = { status: 424, code: 'IDENTITY_PROVIDER_UNREACHABLE' }

describe('entering an identity provider', () => {
  test('the secret of the client is in no answer and no audit record, and at rest it is sealed', async () => {
    const { call, change, deps } = await startConnected(company)
    await change({ clientSecret: 'another-secret-of-the-client' })

    const told = JSON.stringify([
      await call('GET', '/identity-providers'),
      await deps.db.select({ before: auditLog.before, after: auditLog.after }).from(auditLog),
      await deps.db
        .select({ sealed: identityProviders.sealedClientSecret })
        .from(identityProviders),
    ])

    expect(told).toContain('"slug":"company"')
    expect(told).not.toContain('another-secret-of-the-client')
    expect(told).not.toContain(company.clientSecret)
  })

  test('a changed secret holds from the next sign-in on', async () => {
    const { change, comeAs } = await startConnected(company)
    await comeAs('ada')
    await change({ clientSecret: 'not-the-secret' })
    const wrong = await comeAs('ada')
    await change({ clientSecret: company.clientSecret })

    expect(wrong.json()).toMatchObject(UNREACHABLE)
    expect((await comeAs('ada')).statusCode).toBe(200)
  })

  test('rules that name no account, or a role that it cannot have, are refused with every fault', async () => {
    const { change, account, deps } = await startConnected(company)
    const buyer = await addAccount(deps, 'advertiser')
    const nobody = '01890000-0000-7000-8000-00000000dead'

    const { status, body } = await change({
      rules: [
        { accountId: account.publicId, role: 'operator' },
        { accountId: nobody, role: 'operator' },
        { accountId: buyer.publicId, role: 'operator' },
      ],
    })

    expect(status).toBe(400)
    expect(body.faults.map(({ path }: { path: string }) => path)).toEqual([
      'body/rules/1/accountId',
      'body/rules/2/role',
    ])
  })

  test('issuers in the clear, inside our own network or with an address of their own are not called', async () => {
    const { call } = await startConnected(company)
    const enter = async (issuer: string) => {
      const { status, body } = await call('POST', '/identity-providers', {
        slug: 'other',
        name: 'Other',
        issuer,
        clientId: 'x',
        clientSecret: 'y',
        emailDomains: ['company.example'],
      })
      return `${status} ${body.code}`
    }

    for (const issuer of [
      'http://login.example',
      'https://10.0.0.1',
      'https://[::1]:8443/realms/shop',
      'https://me:secret@login.example',
      'https://login.example/?tenant=1',
      'https://login.example/.well-known/openid-configuration',
    ]) {
      expect([issuer, await enter(issuer)]).toEqual([issuer, '400 ISSUER_REFUSED'])
    }
  })
})

describe('asking an identity provider', () => {
  test('a check says what to enter there, and the sign-in page offers it', async () => {
    const { call, http } = await startConnected(company)
    const { body } = await call('GET', '/identity-providers')

    const checked = await call('POST', `/identity-providers/${body.items[0].id}/check`)

    expect(checked.body).toEqual({
      redirectAddress: `${PUBLIC_URL}/sign-in/company`,
      signOutAddress: `${PUBLIC_URL}/sign-in`,
    })
    const options = await http.inject({ url: '/api/v1/auth/options' })
    expect(options.json()).toMatchObject({
      identityProviders: [{ slug: 'company', name: 'Company sign-in' }],
    })
  })

  test('everybody goes with PKCE, a state and a nonce of their own, and asks for the levels of the operator', async () => {
    const { begin } = await startConnected(company, { factorAcr: ['gold'] })
    const [one, two] = [await begin(), await begin()].map(({ address }) => new URL(address))

    expect(Object.fromEntries(one!.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${PUBLIC_URL}/sign-in/company`,
      scope: 'openid email profile groups',
      code_challenge_method: 'S256',
      acr_values: 'gold',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one!.searchParams.get(name)).toHaveLength(43)
      expect(one!.searchParams.get(name)).not.toBe(two!.searchParams.get(name))
    }
  })

  test.each([
    ['calls itself something else', { issuer: 'https://login.example' }],
    ['sends people to a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['sends people to a script to sign out', { end_session_endpoint: 'data:text/html,x' }],
  ])('a provider that %s is not used', async (_, metadata) => {
    const issuer = await startLiar(metadata)
    const { post } = await startConnected({ ...company, issuer })

    const begun = await post('/auth/identity-providers/company/begin')

    expect(begun.json()).toMatchObject(UNREACHABLE)
  })

  test('a provider that does not answer is asked again by the next sign-in', async () => {
    let isUp = false
    const issuer = await startLiar({}, () => isUp)
    const { post } = await startConnected({ ...company, issuer })
    const statusOf = async () => (await post('/auth/identity-providers/company/begin')).statusCode
    const down = await statusOf()
    isUp = true

    expect([down, await statusOf(), await statusOf()]).toEqual([424, 200, 200])
  })

  test('a name that leads into our own network is not called, unless the operator lists it', async () => {
    let connections = 0
    const trap = createTcpServer((socket) => {
      connections++
      socket.destroy()
    })
    trap.listen(0, '127.0.0.1')
    await once(trap, 'listening')
    onTestFinished(() => new Promise<void>((resolve) => trap.close(() => resolve())))
    const issuer = `https://localhost:${(trap.address() as AddressInfo).port}`
    const connect = (hosts: string) =>
      startConnected({ ...company, issuer }, {}, { OIDC_ALLOWED_HOSTS: hosts })
    const [unlisted, listed] = [await connect('127.0.0.1'), await connect('localhost')]

    const refused = await unlisted.post('/auth/identity-providers/company/begin')
    const connectionsThen = connections
    await listed.post('/auth/identity-providers/company/begin')

    expect(refused.json()).toMatchObject(UNREACHABLE)
    expect([connectionsThen, connections]).toEqual([0, 1])
  })
})

/** A provider whose discovery document says that. */
async function startLiar(metadata: object, isUp = () => true): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(isUp() ? 200 : 503, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...metadata,
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return issuer
}
