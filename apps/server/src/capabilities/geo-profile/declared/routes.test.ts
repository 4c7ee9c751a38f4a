import { DAY_SECONDS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { addKey, addUser, signInAs } from '../../../testing/server.ts'
import { trustDesk } from '../admin/testing-desk.ts'
import { suspectSomebody } from '../guard/testing-suspect.ts'

const NO_COUNTRIES = ['ZZ', 'XX', 'QQ', 'EU', 'UK', 'de', 'D', '']

async function somebody() {
  const desk = await trustDesk()
  const person = await addUser(desk.deps, 'advertiser')
  const { headers } = await signInAs(desk, person.email)
  const declare = (country: string, as: Record<string, string> = headers) =>
    desk.http.inject({
      method: 'PUT',
      url: '/api/v1/me/declared-country',
      headers: as,
      payload: { country },
    })
  const versions = async (): Promise<readonly { country: string }[]> =>
    (await desk.get(`users/${person.publicId}/geo-profile`)).declared_country_versions
  const apply = (payload: object) =>
    desk.post(`users/${person.publicId}/declared-country`, { reason_code: 'moved', ...payload })
  const signInAgain = () => signInAs(desk, person.email)
  return { ...desk, ...person, declare, versions, apply, signInAgain }
}

describe('stage 17: the routes that change the declared country', () => {
  test('a declared country that is not in ISO 3166-1 is refused in words, and nothing is written', async () => {
    const { apply, versions, declare } = await somebody()
    const answers = await Promise.all(
      NO_COUNTRIES.flatMap((country) => [apply({ country }), declare(country)]),
    )

    expect([...new Set(answers.map(({ statusCode }) => statusCode))]).toEqual([400])
    expect(answers[0]!.json().faults).toEqual([
      {
        path: 'body/country',
        message: '"ZZ" is not a country code of ISO 3166-1: write a code such as "DE"',
      },
    ])
    expect(await versions()).toEqual([])
  })

  test('a change that repeats a key with another country is a conflict', async () => {
    const { apply, versions } = await somebody()
    await apply({ country: 'FR', idempotency_key: 'ticket-1' })

    const same = await apply({ country: 'FR', idempotency_key: 'ticket-1' })
    const other = await apply({ country: 'ES', idempotency_key: 'ticket-1' })

    expect(same.json()).toMatchObject({ version: 1, country: 'FR' })
    expect(other.statusCode).toBe(409)
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
    expect(await versions()).toHaveLength(1)
  })

  test('a change to the current country makes no version', async () => {
    const { apply, versions } = await somebody()
    await apply({ country: 'ES' })

    expect((await apply({ country: 'ES' })).json()).toMatchObject({ version: 1, state: 'applied' })
    expect(await versions()).toHaveLength(1)
  })

  test('a change is in the audit log in the name of its person', async () => {
    const { apply, publicId, http, headers, trustId } = await somebody()
    await apply({ country: 'ES' })

    const url = `/api/v1/admin/audit-log?entityId=${publicId}&action=geo-country.change`
    const log = (await http.inject({ url, headers })).json()

    expect(log.items).toMatchObject([
      { actorId: trustId, before: { country: null }, after: { version: 1, country: 'ES' } },
    ])
  })
})

describe('a user’s own declaration', () => {
  test('a user’s own declaration is a version like any other, and is shown in their profile', async () => {
    const { declare, versions, http, email } = await somebody()

    expect((await declare('ES')).json()).toMatchObject({
      version: 1,
      reason_code: 'declared_by_user',
    })

    const { headers } = await signInAs({ http }, email)
    const me = (await http.inject({ url: '/api/v1/me', headers })).json()
    expect(me.user.declaredCountry).toBe('ES')
    expect(await versions()).toMatchObject([{ country: 'ES', state: 'applied' }])
  })

  test('users may correct their country once, and again thirty days later', async () => {
    const { declare, deps, signInAgain } = await somebody()
    expect((await declare('ES')).statusCode).toBe(200)
    expect((await declare('FR')).statusCode).toBe(200)

    const tooSoon = await declare('DE')
    deps.clock.advance(30 * DAY_SECONDS)
    const later = await declare('DE', (await signInAgain()).headers)

    expect(tooSoon.json()).toMatchObject({ code: 'declared_country_changed_lately', status: 409 })
    expect(later.statusCode).toBe(200)
  })

  test('users may not change their country while a review is pending', async () => {
    const { declare, deps, publicId, versions } = await somebody()
    await declare('ES')
    await suspectSomebody(deps, publicId)

    expect((await declare('FR')).json()).toMatchObject({ code: 'declared_country_under_review' })
    expect(await versions()).toHaveLength(1)
  })

  test('an API key may not declare a country', async () => {
    const { declare, account, deps } = await somebody()
    const key = await addKey({ deps }, { account, scopes: ['campaigns:read'] })

    expect((await declare('FR', key)).statusCode).toBe(403)
  })
})
