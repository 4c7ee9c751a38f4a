/** A person as an identity provider describes them. */
export interface ExternalPerson {
  readonly issuer: string
  /** The provider's own id of the person: it never changes and never names another one. */
  readonly subject: string
  readonly email: string
  readonly isEmailVerified: boolean
  readonly displayName: string
  readonly groups: readonly string[]
  /** Whether the provider says that it asked for a second factor. */
  readonly hasProvenFactor: boolean
}

export type Claims = Readonly<Record<string, unknown>> & {
  readonly iss: string
  readonly sub: string
}

/** Where a provider puts what we ask for. */
export interface ClaimNames {
  readonly groupsClaim: string
  readonly emailVerifiedClaim: string
  readonly factorAcr: readonly string[]
}

const GROUPS_MAX = 500

/** Undefined if the claims carry no usable e-mail address. */
export function readPerson(claims: Claims, names: ClaimNames): ExternalPerson | undefined {
  const email = textIn(claims['email'])?.toLowerCase()
  if (email === undefined || !EMAIL.test(email) || email.length > 254) return undefined
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    isEmailVerified: isYes(claims[names.emailVerifiedClaim]),
    displayName: nameIn(claims) ?? email,
    groups: groupsIn(claims[names.groupsClaim]),
    hasProvenFactor: provesFactor(claims, names.factorAcr),
  }
}

/** Whether both tokens and answers of the user info endpoint are needed to know the person. */
export const isIncomplete = (claims: Claims, { groupsClaim }: ClaimNames): boolean =>
  claims['email'] === undefined || claims[groupsClaim] === undefined

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** One `@`, a domain with a dot, and none of the characters that mean something in a list of addresses. */
const EMAIL = /^[^\s@<>(),;:"\\]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/

const textIn = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined)

/** Some providers send the answer as text or as a number. */
const isYes = (value: unknown) => [true, 'true', 1, '1'].includes(value as never)

function nameIn({ name, preferred_username: login }: Claims): string | undefined {
  const shown = [name, login].map(textIn).find(Boolean)
  // eslint-disable-next-line no-control-regex -- control characters have no place in a name
  return shown?.replaceAll(/[\p{C}\u2028\u2029]/gu, '').slice(0, 255) || undefined
}

function groupsIn(value: unknown): readonly string[] {
  const groups = Array.isArray(value) ? value : [value]
  return groups.filter((group) => typeof group === 'string').slice(0, GROUPS_MAX)
}

/** Methods of RFC 8176 by what they prove: something known, held, or part of the person. */
const KINDS: Readonly<Record<string, string>> = {
  pwd: 'known',
  pin: 'known',
  kba: 'known',
  otp: 'held',
  hwk: 'held',
  swk: 'held',
  sms: 'held',
  tel: 'held',
  sc: 'held',
  pop: 'held',
  fpt: 'part',
  face: 'part',
  iris: 'part',
  retina: 'part',
  vbm: 'part',
}

/** `mfa`, or methods of two kinds, or a level of assurance that the operator named. */
export function provesFactor(
  { amr, acr }: Readonly<Record<string, unknown>>,
  factorAcr: readonly string[],
): boolean {
  const methods = groupsIn(amr)
  if (methods.includes('mfa')) return true
  const kinds = new Set(methods.flatMap((method) => KINDS[method] ?? []))
  return kinds.size >= 2 || (typeof acr === 'string' && factorAcr.includes(acr))
}
