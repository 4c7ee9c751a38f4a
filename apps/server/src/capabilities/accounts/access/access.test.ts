import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FAMILIES, mayHoldRole, refusedScopes, ROLE_PERMISSIONS, scopesOf } from './access.ts'

test('an operator has every permission that users can have', () => {
  const all = FAMILIES.flatMap((family) => [`${family}:read`, `${family}:write`])
  expect([...ROLE_PERMISSIONS.operator].toSorted()).toEqual(all.toSorted())
})

test('no role can write what it cannot read', () => {
  for (const permissions of Object.values(ROLE_PERMISSIONS)) {
    for (const permission of permissions) {
      expect(permissions).toContain(permission.replace(':write', ':read'))
    }
  }
})

test('no user can hold the identity permission; only a platform key can', () => {
  expect(Object.values(ROLE_PERMISSIONS).flat()).not.toContain('identity:write')
  expect(scopesOf('platform')).toContain('identity:write')
  expect(scopesOf('advertiser')).not.toContain('identity:read')
})

test('a role belongs to one kind of account', () => {
  expect(mayHoldRole('advertiser', 'operator')).toBe(false)
  expect(mayHoldRole('publisher', 'advertiser')).toBe(false)
  expect(mayHoldRole('platform', 'trust')).toBe(true)
})

describe('refusedScopes', () => {
  const permissions = new Set<string>(ROLE_PERMISSIONS.advertiser)

  test('refusedScopes refuses scopes that the caller does not hold', () => {
    const granting = { kind: 'advertiser' as const, isOperator: false, permissions }
    expect(refusedScopes(['campaigns:write', 'sites:read'], granting)).toEqual(['sites:read'])
  })

  test('refusedScopes refuses an advertiser key what its account may not do, even for an operator', () => {
    const granting = { kind: 'advertiser' as const, isOperator: true, permissions }
    expect(refusedScopes(['users:read', 'nonsense:read'], granting)).toEqual([
      'users:read',
      'nonsense:read',
    ])
  })
})

test('the table of roles in docs/internals/accounts.md is the table in the code', async () => {
  const document = await readFile(
    path.join(import.meta.dirname, '../../../../../../docs/internals/accounts.md'),
    'utf8',
  )
  const roles = ['operator', 'ad-ops', 'advertiser', 'publisher', 'trust'] as const
  for (const family of FAMILIES) {
    const cells = roles.map((role) => cell(ROLE_PERMISSIONS[role], family))
    expect(document.replaceAll(/ +/g, ' ')).toContain(`| ${family} | ${cells.join(' | ')} |`)
  }
})

function cell(permissions: readonly string[], family: string): string {
  if (permissions.includes(`${family}:write`)) return 'write'
  return permissions.includes(`${family}:read`) ? 'read' : '—'
}
