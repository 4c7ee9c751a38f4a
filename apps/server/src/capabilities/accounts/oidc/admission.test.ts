import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Someone, TestIdentityProvider } from '../../../testing/services/identity-provider.ts'
import { addUser, signInAs } from '../../../testing/server.ts'
import { addAccount } from '../../../testing/world.ts'
import { users } from '../tables.ts'
import { ADA, outcomeOf, startCompany, startConnected } from './testing.ts'
import { externalIdentities } from './tables.ts'

const ends: (() => Promise<void>)[] = []
let company: TestIdentityProvider

beforeAll(async () => {
  company = await startCompany({ atEnd: (end) => void ends.unshift(end) })
})
beforeEach(() => void company.people.set('ada', ADA))
afterAll(async () => {
  for (const end of ends) await end()
})

type Placard = Awaited<ReturnType<typeof startConnected>>

const usersIn = ({ deps }: Placard) => deps.db.select().from(users)

describe('who comes in, and as what', () => {
  test('somebody in a group of the rules gets a user at the first sign-in, and is the same user at the next', async () => {
    const placard = await startConnected(company)
    const { comeAs, meOf, account } = placard

    const first = await meOf((await comeAs('ada')).json())
    company.people.set('ada', { ...ADA, email: 'ada.summer@company.example' })
    const second = await meOf((await comeAs('ada')).json())

    expect(first).toMatchObject({
      name: 'Ada Winter',
      user: {
        email: 'ada@company.example',
        role: 'ad-ops',
        accountId: account.publicId,
        signsInBy: 'provider',
      },
    })
    expect(second.user).toEqual(first.user)
  })

  test('who is not verified, of another domain or in no group does not come in, and no user is made', async () => {
    const placard = await startConnected(company)
    const before = await usersIn(placard)
    const others: Record<string, Someone> = {
      unverified: { ...ADA, emailVerified: false },
      silent: { ...ADA, emailVerified: undefined },
      foreign: { ...ADA, email: 'ada@rival.example' },
      below: { ...ADA, email: 'ada@sub.company.example' },
      alike: { ...ADA, email: 'ada@rival.example@company.example' },
      ungrouped: { ...ADA, groups: ['everybody'] },
      nameless: { ...ADA, email: undefined },
    }
    const outcomes: Record<string, string> = {}
    for (const [subject, someone] of Object.entries(others)) {
      company.people.set(subject, someone)
      outcomes[subject] = await outcomeOf(placard.comeAs(subject))
    }

    expect(outcomes).toEqual({
      unverified: '403 EXTERNAL_EMAIL_UNVERIFIED',
      silent: '403 EXTERNAL_EMAIL_UNVERIFIED',
      foreign: '403 EXTERNAL_PERSON_NOT_ADMITTED',
      below: '403 EXTERNAL_PERSON_NOT_ADMITTED',
      alike: '403 EXTERNAL_EMAIL_MISSING',
      ungrouped: '403 EXTERNAL_PERSON_NOT_ADMITTED',
      nameless: '403 EXTERNAL_EMAIL_MISSING',
    })
    expect(await usersIn(placard)).toEqual(before)
  })

  test('the first rule that fits counts, by domain, by group or for everybody', async () => {
    const placard = await startConnected(company)
    const { account, change, comeAs, meOf } = placard
    await change({
      emailDomains: ['company.example', 'partner.example'],
      rules: [
        { group: 'guards', accountId: account.publicId, role: 'trust' },
        { emailDomain: 'company.example', accountId: account.publicId, role: 'ad-ops' },
        { accountId: account.publicId, role: 'trust' },
      ],
    })
    const roleOf = async (subject: string, someone: Someone) => {
      company.people.set(subject, someone)
      return (await meOf((await comeAs(subject)).json())).user.role
    }

    expect(await roleOf('guard', { ...ADA, email: 'g@company.example', groups: ['guards'] })).toBe(
      'trust',
    )
    expect(await roleOf('ada', { ...ADA, groups: [] })).toBe('ad-ops')
    expect(await roleOf('bo', { ...ADA, email: 'bo@partner.example', groups: [] })).toBe('trust')
  })

  test('the role of whom the rules made follows them, and what somebody else made of it is undone', async () => {
    const placard = await startConnected(company)
    const { comeAs, meOf, call } = placard
    const { user } = await meOf((await comeAs('ada')).json())
    await call('PATCH', `/users/${user.id}`, { role: 'operator' })

    const back = await meOf((await comeAs('ada')).json())
    company.people.set('ada', { ...ADA, groups: ['guards'] })
    const moved = await meOf((await comeAs('ada')).json())
    company.people.set('ada', { ...ADA, groups: [] })

    expect([back.user.role, moved.user.role]).toEqual(['ad-ops', 'trust'])
    expect(moved.permissions).not.toContain('campaigns:write')
    expect(await outcomeOf(comeAs('ada'))).toBe('403 EXTERNAL_PERSON_NOT_ADMITTED')
  })

  test('nobody moves to another account, and whoever is deactivated stays outside', async () => {
    const placard = await startConnected(company)
    const { comeAs, meOf, call, change, deps, account } = placard
    const { user } = await meOf((await comeAs('ada')).json())
    const other = await addAccount(deps, 'platform')
    await change({ rules: [{ accountId: other.publicId, role: 'ad-ops' }] })
    const moved = await outcomeOf(comeAs('ada'))
    await change({ rules: [{ accountId: account.publicId, role: 'ad-ops' }] })
    await call('PATCH', `/users/${user.id}`, { isActive: false })

    expect(moved).toBe('403 RULES_DIFFER')
    expect(await outcomeOf(comeAs('ada'))).toBe('403 USER_MAY_NOT_ENTER')
    expect((await usersIn(placard)).filter(({ email }) => email === user.email)).toHaveLength(1)
  })

  test('two tabs that come for the first time make one user', async () => {
    const placard = await startConnected(company)

    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(placard.comeAs('ada'))))

    expect(outcomes).toEqual(['in', 'in', 'in'])
    expect(await placard.deps.db.select().from(externalIdentities)).toHaveLength(1)
  })
})

describe('somebody who is here already', () => {
  /** A user with a password whose address the provider gives to somebody too. */
  async function withNamesake(
    role: 'ad-ops' | 'operator' = 'ad-ops',
    fields: Record<string, unknown> = {},
  ) {
    const placard = await startConnected(company, fields)
    const namesake = await addUser(placard.deps, role, placard.account)
    company.people.set('ada', { ...ADA, email: namesake.email })
    await placard.change({ emailDomains: ['test.example'] })
    return { ...placard, namesake }
  }

  test('a user with a password is not taken over, and is told how to connect', async () => {
    const placard = await withNamesake()

    const refused = await placard.comeAs('ada')

    expect(refused.json()).toMatchObject({ code: 'EMAIL_HAS_USER', status: 409 })
    expect(refused.json().detail).toContain('Connected sign-ins')
    expect(await placard.deps.db.select().from(externalIdentities)).toEqual([])
  })

  test('where the provider links users, they are linked with exactly the role of the rules, and keep their password', async () => {
    const linking = await withNamesake('ad-ops', { linksUsers: true })
    const higher = await withNamesake('operator', { linksUsers: true })
    company.people.set('ada', { ...ADA, email: linking.namesake.email })
    const { user } = await linking.meOf((await linking.comeAs('ada')).json())
    company.people.set('ada', { ...ADA, email: higher.namesake.email })

    expect(user).toMatchObject({ id: linking.namesake.publicId, signsInBy: 'password' })
    expect((await signInAs(linking, linking.namesake.email)).accessToken).toBeTypeOf('string')
    expect(await outcomeOf(higher.comeAs('ada'))).toBe('403 RULES_DIFFER')
  })

  test('a linked user whom an operator gave another role comes in by the password only', async () => {
    const placard = await withNamesake('ad-ops', { linksUsers: true })
    await placard.comeAs('ada')
    await placard.call('PATCH', `/users/${placard.namesake.publicId}`, { role: 'operator' })

    expect(await outcomeOf(placard.comeAs('ada'))).toBe('403 RULES_DIFFER')
    expect((await signInAs(placard, placard.namesake.email)).accessToken).toBeTypeOf('string')
  })

  test('an address that the provider gave to another person leads to nobody’s user', async () => {
    const placard = await startConnected(company, { linksUsers: true })
    await placard.comeAs('ada')
    company.people.set('successor', ADA)

    expect(await outcomeOf(placard.comeAs('successor'))).toBe('409 EXTERNAL_IDENTITY_TAKEN')
  })

  test('whom the rules made has no password, until an operator gives a link for one', async () => {
    const placard = await startConnected(company)
    const { comeAs, meOf, call, post } = placard
    const { user } = await meOf((await comeAs('ada')).json())
    const credentials = { email: user.email, password: 'seven unusual purple words' }
    const before = await post('/auth/sign-in', credentials)
    const { body } = await call('POST', `/users/${user.id}/password-link`)
    await post('/auth/choose-password', {
      linkToken: String(body.link).split('#')[1],
      password: credentials.password,
    })

    const after = await post('/auth/sign-in', credentials)

    expect([before.statusCode, after.statusCode]).toEqual([401, 200])
    expect((await meOf(after.json())).user.signsInBy).toBe('password')
  })
})
