import { expect, test } from 'vitest'
import { bodyOf, type Provider, rulesOf, textsOf } from './draft.ts'

const RULE = { accountId: '01890000-0000-7000-8000-000000000001', role: 'ad-ops' as const }
const PROVIDER: Provider = {
  id: '01890000-0000-7000-8000-000000000002',
  version: 1,
  createdAt: '2026-06-15T12:00:00Z',
  updatedAt: '2026-06-15T12:00:00Z',
  deletedAt: null,
  slug: 'company',
  name: 'Company',
  issuer: 'https://login.example',
  clientId: 'placard',
  scopes: ['groups'],
  groupsClaim: 'groups',
  emailVerifiedClaim: 'email_verified',
  emailDomains: ['company.example'],
  rules: [{ ...RULE, group: 'ad-operations' }, RULE],
  linksUsers: false,
  trustsFactor: false,
  factorAcr: [],
  sessionHours: 12,
  isActive: true,
}
const SWITCHES = { linksUsers: false, trustsFactor: false }

test('a provider that is saved without a change stays as it is, its secret too', () => {
  const draft = { texts: textsOf(PROVIDER), rules: rulesOf(PROVIDER), ...SWITCHES }

  const body = bodyOf(draft, false)

  expect(PROVIDER).toMatchObject(body)
  expect(body).not.toHaveProperty('clientSecret')
  expect(body).not.toHaveProperty('slug')
})

test('lists are typed with commas or spaces, and domains in any case', () => {
  const texts = { ...textsOf(undefined), emailDomains: ' Company.example,partner.example ' }

  const body = bodyOf({ texts, rules: [], ...SWITCHES }, true)

  expect(body).toMatchObject({ emailDomains: ['company.example', 'partner.example'], slug: '' })
})
