import type * as contract from '@placard/contract/identity-providers'
import type { Static } from 'typebox'

export type Provider = Static<typeof contract.IdentityProvider>
export type AccessRule = Provider['rules'][number]
export type Role = AccessRule['role']

export const PROVIDERS = '/admin/identity-providers'

/** A rule as it is being typed: empty text holds for everybody. */
export interface RuleDraft {
  /** Tells rules apart while they are moved and removed. */
  readonly key: string
  readonly group: string
  readonly emailDomain: string
  readonly accountId: string
  readonly role: Role
}

/** Fields of the form that are texts. */
export const textsOf = (provider: Provider | undefined) => ({
  name: provider?.name ?? '',
  slug: provider?.slug ?? '',
  issuer: provider?.issuer ?? '',
  clientId: provider?.clientId ?? '',
  clientSecret: '',
  emailDomains: provider?.emailDomains.join(', ') ?? '',
  scopes: provider?.scopes.join(', ') ?? '',
  groupsClaim: provider?.groupsClaim ?? 'groups',
  emailVerifiedClaim: provider?.emailVerifiedClaim ?? 'email_verified',
  factorAcr: provider?.factorAcr.join(', ') ?? '',
  sessionHours: String(provider?.sessionHours ?? 12),
})

export type ProviderTexts = ReturnType<typeof textsOf>

export interface ProviderSwitches {
  readonly linksUsers: boolean
  readonly trustsFactor: boolean
}

let made = 0

export const nextKey = () => `rule ${made++}`

export const rulesOf = (provider: Provider | undefined): readonly RuleDraft[] =>
  provider?.rules.map(({ group, emailDomain, ...rest }) => ({
    ...rest,
    key: nextKey(),
    group: group ?? '',
    emailDomain: emailDomain ?? '',
  })) ?? []

interface Draft extends ProviderSwitches {
  readonly texts: ProviderTexts
  readonly rules: readonly RuleDraft[]
}

/** What is sent. Slug and issuer are given once; an empty secret keeps the one that is there. */
export function bodyOf({ texts, rules, ...switches }: Draft, isNew: boolean): object {
  const { slug, issuer, clientSecret, ...fields } = texts
  return {
    ...fields,
    ...switches,
    ...(isNew && { slug, issuer }),
    ...((isNew || clientSecret !== '') && { clientSecret }),
    emailDomains: listIn(texts.emailDomains).map((domain) => domain.toLowerCase()),
    scopes: listIn(texts.scopes),
    factorAcr: listIn(texts.factorAcr),
    sessionHours: Number(texts.sessionHours),
    rules: rules.map(({ group, emailDomain, accountId, role }) => ({
      accountId,
      role,
      ...(group && { group }),
      ...(emailDomain && { emailDomain: emailDomain.toLowerCase() }),
    })),
  }
}

const listIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)
