import { describe, expect, test } from 'vitest'
import { readPerson } from './claims.ts'

const NAMES = { groupsClaim: 'groups', emailVerifiedClaim: 'email_verified', factorAcr: ['gold'] }
const ADA = { iss: 'https://login.example', sub: '1', email: 'ada@company.example' }

const personOf = (claims: object, names: Partial<typeof NAMES> = {}) =>
  readPerson({ ...ADA, ...claims }, { ...NAMES, ...names })

describe('the second factor of a provider counts', () => {
  test.each([
    ['it names multi-factor authentication', { amr: ['pwd', 'mfa'] }, true],
    ['it names two methods of different kinds', { amr: ['pwd', 'otp'] }, true],
    ['a key that was unlocked by a finger', { amr: ['hwk', 'fpt'] }, true],
    ['its level is one that the operator named', { acr: 'gold' }, true],
    ['not when it names a password only', { amr: ['pwd'] }, false],
    ['not when it names two methods of one kind', { amr: ['pwd', 'kba'] }, false],
    ['not when its level is another one', { acr: 'silver' }, false],
    ['not when it says nothing', {}, false],
    ['not when what it says is no list', { amr: { mfa: true } }, false],
  ])('%s', (_, claims, isProven) => {
    expect(personOf(claims)?.hasProvenFactor).toBe(isProven)
  })
})

test('an address is verified when the provider says so in its own claim, and never by default', () => {
  const isVerified = (claims: object, names = {}) => personOf(claims, names)?.isEmailVerified

  expect([true, 'true'].map((email_verified) => isVerified({ email_verified }))).toEqual([
    true,
    true,
  ])
  expect(
    [undefined, null, false, 'false', 'yes', {}].map((email_verified) =>
      isVerified({ email_verified }),
    ),
  ).toEqual(Array(6).fill(false))
  expect(isVerified({ xms_edov: '1' }, { emailVerifiedClaim: 'xms_edov' })).toBe(true)
  expect(isVerified({ email_verified: true }, { emailVerifiedClaim: 'xms_edov' })).toBe(false)
})

test('groups are a list or one text, such as the Workspace of a Google account', () => {
  expect(personOf({ groups: ['a', 7, 'b'] })?.groups).toEqual(['a', 'b'])
  expect(personOf({ hd: 'company.example' }, { groupsClaim: 'hd' })?.groups).toEqual([
    'company.example',
  ])
  expect(personOf({})?.groups).toEqual([])
})

test('an address is one address, in lower case', () => {
  const emailOf = (email: unknown) => personOf({ email })?.email

  expect(emailOf('Ada@Company.Example')).toBe('ada@company.example')
  for (const email of [
    'ada',
    'ada@localhost',
    'a@b.example@company.example',
    'ada@company.example, eve@company.example',
    '"ada@rival.example"@company.example',
    'ada@company.example\u0000',
    `${'a'.repeat(250)}@company.example`,
    7,
  ]) {
    expect(emailOf(email)).toBeUndefined()
  }
})

test('a name is shown without control characters, and an address where there is none', () => {
  expect(personOf({ name: 'Ada\u0000 Winter\u202e' })?.displayName).toBe('Ada Winter')
  expect(personOf({ preferred_username: 'ada' })?.displayName).toBe('ada')
  expect(personOf({ name: ' ' })?.displayName).toBe('ada@company.example')
})
