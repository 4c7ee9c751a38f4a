/** Permissions. A family names a part of the product; `read` and `write` are granted separately. */

export const FAMILIES = [
  'accounts',
  'users',
  'sessions',
  'keys',
  'audit',
  'switches',
  'operations',
  'webhooks',
  'advertisers',
  'campaigns',
  'proposals',
  'assignments',
  'targeting',
  'caps',
  'banners',
  'approvals',
  'references',
  'sites',
  'placements',
  'decisions',
  'serving',
  'geo',
  'reports',
  'quality',
  'channels',
] as const

export type Family = (typeof FAMILIES)[number]
export type Permission = `${Family | 'identity' | 'observations'}:${'read' | 'write'}`
export type Role = 'operator' | 'ad-ops' | 'advertiser' | 'publisher' | 'trust'
export type AccountKind = 'platform' | 'advertiser' | 'publisher'

const reading = (...families: Family[]): Permission[] =>
  families.map((family) => `${family}:read` as const)
const writing = (...families: Family[]): Permission[] =>
  families.flatMap((family): Permission[] => [`${family}:read`, `${family}:write`])

const BUYING: Family[] = ['campaigns', 'targeting', 'caps', 'banners', 'channels']
const SELLING: Family[] = ['sites', 'placements', 'approvals']

export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  operator: writing(...FAMILIES),
  'ad-ops': [
    ...writing(
      ...BUYING,
      ...SELLING,
      'advertisers',
      'proposals',
      'assignments',
      'references',
      'decisions',
      'serving',
      'reports',
    ),
    ...reading('accounts', 'audit', 'switches'),
  ],
  advertiser: [
    ...writing(...BUYING, 'advertisers', 'keys', 'reports'),
    ...reading('proposals', 'assignments', 'approvals', 'references', 'audit'),
  ],
  publisher: [
    ...writing(...SELLING, 'keys', 'serving', 'reports'),
    ...reading('references', 'audit'),
  ],
  trust: [
    ...writing('sessions', 'geo', 'quality'),
    ...reading('users', 'accounts', 'audit', 'switches'),
  ],
}

const ROLES_OF: Record<AccountKind, readonly Role[]> = {
  platform: ['operator', 'ad-ops', 'trust'],
  advertiser: ['advertiser'],
  publisher: ['publisher'],
}

export const mayHoldRole = (kind: AccountKind, role: Role): boolean => ROLES_OF[kind].includes(role)

const MACHINE_SCOPES = ['identity:read', 'identity:write', 'observations:write']

/**
 * Scopes that a key of an account may carry. `identity` is for machines only: it is the contract
 * with the geo profile, and no person writes a declared country directly. `observations` is all
 * that an edge needs to report requests.
 */
export function scopesOf(kind: AccountKind): ReadonlySet<string> {
  const held = ROLES_OF[kind].flatMap((role) => ROLE_PERMISSIONS[role])
  return new Set(kind === 'platform' ? [...held, ...MACHINE_SCOPES] : held)
}

/** Scopes that a caller may not grant: beyond the account's kind, or beyond its own. */
export function refusedScopes(
  scopes: readonly string[],
  granting: { kind: AccountKind; isOperator: boolean; permissions: ReadonlySet<string> },
): string[] {
  const possible = scopesOf(granting.kind)
  return scopes.filter(
    (scope) => !possible.has(scope) || !(granting.isOperator || granting.permissions.has(scope)),
  )
}
