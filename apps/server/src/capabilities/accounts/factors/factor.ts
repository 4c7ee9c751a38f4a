/** Something besides the password that proves who signs in: an app with codes, or a passkey. */
export type FactorKind = 'authenticator' | 'passkey'

/** How the second factor of a session was proven. `provider`: another sign-in vouches for the user. */
export type FactorProof = FactorKind | 'recovery-code' | 'provider'

/** What a session is asked to answer. */
export type ChallengePurpose = 'add-authenticator' | 'add-passkey' | 'prove'

export const FACTORS_MAX = 10

/** A proof counts as fresh this long: then sensitive changes ask for another one. */
const FRESH_MS = 10 * 60_000

/** Long enough to find the phone and to install an app. */
export const CHALLENGE_MS = 10 * 60_000

/** Roles that need a factor, whatever their account says. */
export type FactorRoles = ReadonlySet<string>

interface Needing {
  readonly role: string
  readonly requiresFactor: boolean
}

export const needsFactor = ({ role, requiresFactor }: Needing, roles: FactorRoles): boolean =>
  requiresFactor || roles.has(role)

interface ProvenSession {
  readonly hasFactor: boolean
  readonly factorProof: FactorProof | null
}

export type FactorVerdict = 'fine' | 'must-set-up' | 'unproven'

/** A session that began without a factor ends for the server when its user has one. */
export function judgeFactor(user: Needing & ProvenSession, roles: FactorRoles): FactorVerdict {
  if (user.factorProof) return 'fine'
  if (user.hasFactor) return 'unproven'
  return needsFactor(user, roles) ? 'must-set-up' : 'fine'
}

/** Whether the user proved an identity recently. Opening the session was the first proof. */
export function isFresh(
  { createdAt, provenAt }: { readonly createdAt: Date; readonly provenAt: Date | null },
  now: Date,
): boolean {
  return now.getTime() - (provenAt ?? createdAt).getTime() <= FRESH_MS
}

/** Those of the setting, or those that hold without it. */
export function factorRolesOf(
  setting: string | undefined,
  { isProduction }: { readonly isProduction: boolean },
): FactorRoles {
  if (setting === undefined) return new Set(isProduction ? ['operator', 'ad-ops'] : [])
  return new Set(setting === 'none' ? [] : setting.split(/, */))
}
