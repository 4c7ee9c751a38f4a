import type { Role } from '../access/access.ts'
import { domainOf, type ExternalPerson } from './claims.ts'

/** Who gets which role in which account. Absent conditions hold for everybody. */
export interface AccessRule {
  readonly emailDomain?: string | null
  readonly group?: string | null
  /** Public id. */
  readonly accountId: string
  readonly role: Role
}

export interface Admitting {
  readonly emailDomains: readonly string[]
  readonly rules: readonly AccessRule[]
}

export type Admission =
  | { readonly verdict: 'email-unverified' | 'foreign-domain' | 'no-rule' }
  | { readonly verdict: 'admitted'; readonly rule: AccessRule }

/** What the operator's rules give to a person. */
export function judgeAdmission(
  { emailDomains, rules }: Admitting,
  { email, isEmailVerified, groups }: ExternalPerson,
): Admission {
  if (!isEmailVerified) return { verdict: 'email-unverified' }
  const domain = domainOf(email)
  if (!emailDomains.includes(domain)) return { verdict: 'foreign-domain' }
  const rule = rules.find(
    ({ emailDomain, group }) =>
      (!emailDomain || emailDomain === domain) && (!group || groups.includes(group)),
  )
  return rule ? { verdict: 'admitted', rule } : { verdict: 'no-rule' }
}

/** The user here, as far as the rules are about them. */
export interface Standing {
  readonly accountPublicId: string
  readonly role: Role
  readonly signsInBy: 'password' | 'provider'
}

export type StandingVerdict = 'as-the-rules-say' | 'role-follows' | 'differs'

/**
 * A session never has more than the rules give. The role of a user that the rules made follows them;
 * what an operator gave to anybody else is not touched, and the rules have to say the same.
 */
export function compareStanding(
  { accountPublicId, role, signsInBy }: Standing,
  rule: AccessRule,
): StandingVerdict {
  if (accountPublicId !== rule.accountId) return 'differs'
  if (role === rule.role) return 'as-the-rules-say'
  return signsInBy === 'provider' ? 'role-follows' : 'differs'
}
