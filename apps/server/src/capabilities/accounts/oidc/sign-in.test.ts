import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAuthenticator } from '../../../testing/factors.ts'
import type { Someone, TestIdentityProvider } from '../../../testing/services/identity-provider.ts'
import { addUser, signInAs } from '../../../testing/server.ts'
import { auditLog } from '../tables.ts'
import { ADA, outcomeOf, startCompany, startConnected } from './testing.ts'

const ends: (() => Promise<void>)[] = []
let company: TestIdentityProvider

beforeAll(async () => {
  company = await startCompany({ atEnd: (end) => void ends.unshift(end) })
})
beforeEach(() => void company.people.set('ada', ADA))
afterAll(async () => {
  for (const end of ends) await end()
})

describe('what proves nothing', () => {
  const UNPROVEN = '401 EXTERNAL_SIGN_IN_UNPROVEN'
  const OVER = '401 EXTERNAL_SIGN_IN_OVER'

  const withParameter = (query: string, name: string, value: string) => {
    const parameters = new URLSearchParams(query)
    parameters.set(name, value)
    return parameters.toString()
  }
  const withNonce = (address: string) => {
    const url = new URL(address)
    url.searchParams.set('nonce', 'somebody-elses')
    return url.href
  }

  test('another state, nonce, issuer, code or flow signs nobody in', async () => {
    const placard = await startConnected(company)
    const { begin, finish } = placard
    const complete = async () => {
      const { address, flow } = await begin()
      return { address, flow, answer: await company.signIn(address, 'ada') }
    }
    const tries: Record<string, () => Promise<string>> = {
      async state() {
        const { flow, answer } = await complete()
        return outcomeOf(finish({ flow, answer: withParameter(answer, 'state', 'x'.repeat(43)) }))
      },
      async nonce() {
        const { address, flow } = await begin()
        return outcomeOf(finish({ flow, answer: await company.signIn(withNonce(address), 'ada') }))
      },
      async issuer() {
        const { flow, answer } = await complete()
        return outcomeOf(
          finish({ flow, answer: withParameter(answer, 'iss', 'https://rival.example') }),
        )
      },
      async 'an answer to somebody else'() {
        const [{ flow }, { answer }] = [await begin(), await complete()]
        return outcomeOf(finish({ flow, answer }))
      },
      async 'a code of somebody else'() {
        const [mine, theirs] = [await complete(), await complete()]
        const code = new URLSearchParams(theirs.answer).get('code')!
        return outcomeOf(
          finish({ flow: mine.flow, answer: withParameter(mine.answer, 'code', code) }),
        )
      },
      async 'an answer twice'() {
        const { flow, answer } = await complete()
        const first = await outcomeOf(finish({ flow, answer }))
        return `${first}, then ${await outcomeOf(finish({ flow, answer }))}`
      },
      async 'a flow of nobody'() {
        const { answer } = await complete()
        return outcomeOf(finish({ flow: 'e30.e30.e30.e30.e30.e30', answer }))
      },
      async 'no code'() {
        return outcomeOf(finish({ flow: (await begin()).flow, answer: 'nothing=here' }))
      },
      async 'an answer that came late'() {
        const { flow, answer } = await complete()
        placard.deps.clock.advance(600)
        return outcomeOf(finish({ flow, answer }))
      },
    }
    const outcomes: Record<string, string> = {}
    for (const [name, attempt] of Object.entries(tries)) outcomes[name] = await attempt()

    expect(outcomes).toEqual({
      state: UNPROVEN,
      nonce: UNPROVEN,
      issuer: UNPROVEN,
      'an answer to somebody else': UNPROVEN,
      'a code of somebody else': UNPROVEN,
      'an answer twice': `in, then ${OVER}`,
      'a flow of nobody': OVER,
      'no code': UNPROVEN,
      'an answer that came late': OVER,
    })
  })

  test('who says no at the provider is told so, and may try again', async () => {
    const { begin, finish, comeAs } = await startConnected(company)
    const { address, flow } = await begin()

    const answer = await company.signIn(address, 'nobody')

    expect(await outcomeOf(finish({ flow, answer }))).toBe('401 IDENTITY_PROVIDER_DECLINED')
    expect(await outcomeOf(comeAs('ada'))).toBe('in')
  })
})

describe('sessions that began at a provider', () => {
  test('they are device sessions like all others: a block ends them at the next request', async () => {
    const placard = await startConnected(company)
    const { accessToken, sessionId } = (await placard.comeAs('ada')).json()

    await placard.call('POST', `/sessions/${sessionId}/block`, { reasonCode: 'geo_guard' })

    expect(await placard.meOf({ accessToken })).toMatchObject({ code: 'SESSION_BLOCKED' })
  })

  test('they end after the hours of the provider, however often they are refreshed', async () => {
    const placard = await startConnected(company, { sessionHours: 2 })
    const refresh = (refreshToken: string) => placard.post('/auth/refresh', { refreshToken })
    const first = (await placard.comeAs('ada')).json()
    placard.deps.clock.advance(119 * 60)
    const second = await refresh(first.refreshToken)
    placard.deps.clock.advance(2 * 60)

    const third = await refresh(second.json().refreshToken)

    expect(second.statusCode).toBe(200)
    expect(second.json().refreshTokenExpiresAt).toBe(first.refreshTokenExpiresAt)
    expect(third.json()).toMatchObject({ code: 'REFRESH_REFUSED' })
    expect(await placard.meOf(second.json())).toMatchObject({ code: 'SESSION_ENDED' })
  })

  test('they end when the provider is switched off, which then signs nobody in', async () => {
    const placard = await startConnected(company)
    const tokens = (await placard.comeAs('ada')).json()
    await placard.change({ isActive: false })

    const begun = await placard.post('/auth/identity-providers/company/begin')

    expect(await placard.meOf(tokens)).toMatchObject({ code: 'SESSION_ENDED' })
    expect(begun.json()).toMatchObject({ code: 'IDENTITY_PROVIDER_NOT_FOUND' })
  })

  test('who signs out is offered to end the session at the provider too', async () => {
    const placard = await startConnected(company)
    const { address, flow } = await placard.begin()
    const answer = await company.signIn(address, 'ada')
    const signedIn = await placard.finish({ flow, answer, refreshTokenIn: 'cookie' })
    const cookies = [signedIn.headers['set-cookie']].flat()
    const cookie = cookies.find((one) => one?.startsWith('placard_refresh'))!.split(';')[0]!

    const out = await placard.post('/auth/sign-out', undefined, { cookie })

    const { signOutAddress } = out.json()
    expect(signOutAddress).toContain(`${company.issuer}/session/end?`)
    const page = await fetch(signOutAddress)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('name="logout"'),
    ])
    expect(await placard.meOf(signedIn.json())).toMatchObject({ code: 'SESSION_ENDED' })
  })

  test('the audit log has who came in through what, and who was refused', async () => {
    const placard = await startConnected(company)
    await placard.comeAs('ada')
    company.people.set('ada', { ...ADA, groups: [] })
    await placard.comeAs('ada')
    company.people.set('eve', { ...ADA, email: 'eve@rival.example' })
    await placard.comeAs('eve')

    const rows = await placard.deps.db.select().from(auditLog)
    const told = rows.map(({ action, after }) => ({ action, after }))

    expect(told).toEqual(
      expect.arrayContaining([
        { action: 'user.create', after: expect.objectContaining({ role: 'ad-ops' }) },
        { action: 'session.sign-in', after: expect.objectContaining({ through: 'company' }) },
        {
          action: 'user.sign-in-failed',
          after: expect.objectContaining({ reason: 'EXTERNAL_PERSON_NOT_ADMITTED' }),
        },
        {
          action: 'identity-provider.person-refused',
          after: expect.objectContaining({ email: 'eve@rival.example' }),
        },
      ]),
    )
  })
})

describe('the second factor of somebody who comes from a provider', () => {
  const NEEDED = { FACTOR_REQUIRED_ROLES: 'ad-ops' }

  test('where a role needs one, the provider’s counts when its answer says so or the operator trusts it', async () => {
    const placard = await startConnected(company, { factorAcr: ['gold'] }, NEEDED)
    const mustSetUp = async (someone: Someone) => {
      company.people.set('ada', { ...ADA, ...someone })
      return (await placard.meOf((await placard.comeAs('ada')).json())).mustSetUpFactor
    }
    const outcomes = {
      password: await mustSetUp({ amr: ['pwd'] }),
      silver: await mustSetUp({ acr: 'silver' }),
      methods: await mustSetUp({ amr: ['pwd', 'otp'] }),
      gold: await mustSetUp({ acr: 'gold' }),
    }
    await placard.change({ trustsFactor: true })

    expect(outcomes).toEqual({ password: true, silver: true, methods: false, gold: false })
    expect(await mustSetUp({ amr: ['pwd'] })).toBe(false)
  })

  test('who has a factor here is asked for it unless the provider asked, and the session ends as the provider’s do', async () => {
    const placard = await startConnected(company, { sessionHours: 1 })
    const { accessToken } = (await placard.comeAs('ada')).json()
    const authenticator = await addAuthenticator(placard, {
      authorization: `Bearer ${accessToken}`,
    })
    const asked = await placard.comeAs('ada')
    const { signInToken, factors } = asked.json()
    const completed = await placard.post('/auth/sign-in/code', {
      signInToken,
      code: authenticator.nextCode(),
    })
    company.people.set('ada', { ...ADA, amr: ['mfa'] })

    expect([asked.statusCode, factors]).toEqual([202, ['authenticator', 'recovery-code']])
    expect(await placard.meOf(completed.json())).toMatchObject({ name: 'Ada Winter' })
    expect(await outcomeOf(placard.comeAs('ada'))).toBe('in')
    const hourMs = 3_600_000
    expect(Date.parse(completed.json().refreshTokenExpiresAt)).toBe(
      placard.deps.clock.now().getTime() + hourMs,
    )
  })
})

describe('connecting a sign-in with oneself', () => {
  async function asMember() {
    const placard = await startConnected(company)
    const member = await addUser(placard.deps, 'ad-ops', placard.account)
    const { headers } = await signInAs(placard, member.email)
    const connect = async (by = headers, subject = 'ada') => {
      const begun = await placard.post(
        '/me/external-identities/begin',
        { providerSlug: 'company' },
        by,
      )
      const { address, flow } = begun.json()
      if (!address) return begun
      const answer = await company.signIn(address, subject)
      return placard.post('/me/external-identities', { providerSlug: 'company', flow, answer }, by)
    }
    return { ...placard, member, headers, connect }
  }

  test('who proves both is the same user by either, and can disconnect again', async () => {
    const placard = await asMember()
    const connected = (await placard.connect()).json()
    const tokens = (await placard.comeAs('ada')).json()
    const me = await placard.meOf(tokens)

    const gone = await placard.http.inject({
      method: 'DELETE',
      url: `/api/v1/me/external-identities/${connected.items[0].id}`,
      headers: placard.headers,
    })

    expect(connected).toMatchObject({
      items: [{ providerName: 'Company sign-in', email: 'ada@company.example' }],
      providers: [{ slug: 'company' }],
    })
    expect(me.user.id).toBe(placard.member.publicId)
    expect(gone.statusCode).toBe(204)
    expect(await placard.meOf(tokens)).toMatchObject({ code: 'SESSION_ENDED' })
    expect((await placard.meOf((await placard.comeAs('ada')).json())).user.id).not.toBe(me.user.id)
  })

  test('it takes a fresh proof, the user who began it and an identity that is free', async () => {
    const placard = await asMember()
    const { post, headers, connect, begin, deps, account } = placard
    const { flow, address } = await begin()
    const answer = await company.signIn(address, 'ada')
    const other = await addUser(deps, 'ad-ops', account)
    const { headers: others } = await signInAs(placard, other.email)
    await connect()

    const outcomes = [
      await outcomeOf(
        post('/me/external-identities', { providerSlug: 'company', flow, answer }, headers),
      ),
      await outcomeOf(connect(others)),
    ]
    deps.clock.advance(601)
    outcomes.push(await outcomeOf(connect()))

    expect(outcomes).toEqual([
      '401 EXTERNAL_SIGN_IN_OVER',
      '409 EXTERNAL_IDENTITY_TAKEN',
      '403 PROOF_NEEDED',
    ])
  })

  test('a provider whose rules give less connects nobody who has more', async () => {
    const placard = await asMember()
    await placard.call('PATCH', `/users/${placard.member.publicId}`, { role: 'operator' })

    expect(await outcomeOf(placard.connect())).toBe('403 RULES_DIFFER')
  })

  test('who has no password keeps the last way in', async () => {
    const placard = await startConnected(company)
    const { accessToken } = (await placard.comeAs('ada')).json()
    const headers = { authorization: `Bearer ${accessToken}` }
    const url = '/api/v1/me/external-identities'
    const { items } = (await placard.http.inject({ url, headers })).json()

    const refused = await placard.http.inject({
      method: 'DELETE',
      url: `${url}/${items[0].id}`,
      headers,
    })

    expect(refused.json()).toMatchObject({ code: 'LAST_WAY_IN' })
    expect(await outcomeOf(placard.comeAs('ada'))).toBe('in')
  })
})
