import { Type } from 'typebox'
import {
  DELETED_AT,
  Instant,
  nullable,
  PAGE_QUERY,
  ROW_FIELDS,
  strict,
  textOf,
  Uuid,
} from '../shared.ts'
import {
  DeviceName,
  ProviderChoice,
  ProviderName,
  ProviderSlug,
  RefreshTokenIn,
  ROLES,
} from './accounts.ts'

const Issuer = Type.String({
  format: 'web-url',
  maxLength: 2_048,
  description: 'The provider as its discovery document names it; never changes',
  examples: ['https://login.example/realms/shop'],
})
const EmailDomain = Type.String({
  pattern: '^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){1,8}$',
  description: 'In lower case; subdomains are domains of their own',
  examples: ['company.example'],
})
const Claim = (description: string, example: string) =>
  Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_.:/-]{0,99}$',
    description,
    examples: [example],
  })

const AccessRule = strict({
  emailDomain: Type.Optional(nullable(EmailDomain, 'Only people with such an address')),
  group: Type.Optional(nullable(textOf(255, 'ad-operations'), 'Only people in this group')),
  accountId: Uuid,
  role: Type.Enum([...ROLES], { examples: ['advertiser'] }),
})

const FIELDS = {
  name: ProviderName,
  clientId: textOf(255, 'placard'),
  scopes: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.:/-]{1,100}$', examples: ['groups'] }), {
    maxItems: 10,
    uniqueItems: true,
    description: 'Asked for besides `openid`, `email` and `profile`',
  }),
  groupsClaim: Claim('Claim with the groups of a person: one text or a list', 'groups'),
  emailVerifiedClaim: Claim(
    'Claim that says that the address is verified. Entra ID: `xms_edov`',
    'email_verified',
  ),
  emailDomains: Type.Array(EmailDomain, {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'Only people with such an address may come in, whatever the rules say',
  }),
  rules: Type.Array(AccessRule, {
    maxItems: 50,
    description:
      'The first rule that fits gives account and role. Whoever fits none does not come in',
  }),
  linksUsers: Type.Boolean({
    description:
      'Whether somebody whose verified address a user has already, with the account and role of the rules, becomes that user. Otherwise they connect it themselves',
    examples: [false],
  }),
  trustsFactor: Type.Boolean({
    description: 'The provider always asks for a second factor, even if its answers do not say so',
    examples: [false],
  }),
  factorAcr: Type.Array(textOf(255, 'mfa'), {
    maxItems: 10,
    uniqueItems: true,
    description: 'Values of `acr` that stand for a second factor; also asked for',
  }),
  sessionHours: Type.Integer({
    minimum: 1,
    maximum: 720,
    description: 'After that people sign in at the provider again, so that it can keep them out',
    examples: [12],
  }),
}
const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1_024,
  format: 'plain-text',
  examples: ['the-secret-of-the-client'],
})

const optional = Type.Partial(Type.Object(FIELDS)).properties

export const CreateIdentityProvider = strict({
  ...optional,
  slug: ProviderSlug,
  issuer: Issuer,
  clientSecret: ClientSecret,
  name: FIELDS.name,
  clientId: FIELDS.clientId,
  emailDomains: FIELDS.emailDomains,
})
export const PatchIdentityProvider = strict({
  ...optional,
  clientSecret: Type.Optional(ClientSecret),
  isActive: Type.Optional(Type.Boolean({ description: 'False ends its sessions too' })),
})
export const IdentityProviderQuery = strict({
  ...PAGE_QUERY,
  includeDeleted: Type.Optional(Type.Boolean({ default: false })),
  isActive: Type.Optional(Type.Boolean()),
})
export const IdentityProvider = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  slug: ProviderSlug,
  issuer: Issuer,
  ...FIELDS,
  isActive: Type.Boolean(),
})
export const IdentityProviderParams = Type.Object({ identityProviderId: Uuid })

/** What to enter at the provider, which answered just now. */
export const IdentityProviderCheck = Type.Object({
  redirectAddress: nullable(
    Type.String({ description: 'To enter at the provider; null without PUBLIC_URL' }),
  ),
  signOutAddress: nullable(Type.String({ description: 'To enter there too, if it ends sessions' })),
})

export const ProviderParams = Type.Object({ providerSlug: ProviderSlug })

/** Sealed for us: what the answer of the provider has to fit. Stays in the browser tab. */
const Flow = Type.String({
  pattern: '^[A-Za-z0-9_.-]{20,2000}$',
  description: 'From the beginning of this sign-in; works once, for ten minutes',
  examples: ['eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..c2VhbGVk'],
})
const ProviderAnswer = Type.String({
  pattern: '^[\\x20-\\x7e]+$',
  maxLength: 4_000,
  description: 'The query that the provider sent the browser back with',
  examples: ['code=abc&state=def'],
})
export const BegunAtProvider = Type.Object({
  address: Type.String({ description: 'Where the browser goes next' }),
  flow: Flow,
  expiresAt: Instant,
})
export const FinishAtProvider = strict({
  flow: Flow,
  answer: ProviderAnswer,
  deviceName: Type.Optional(DeviceName),
  refreshTokenIn: Type.Optional(RefreshTokenIn),
})

export const ExternalIdentity = Type.Object({
  id: Uuid,
  providerSlug: ProviderSlug,
  providerName: Type.String(),
  email: Type.String({ description: 'As the provider gave it at the last sign-in' }),
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
})
export const ExternalIdentities = Type.Object({
  items: Type.Array(ExternalIdentity),
  providers: Type.Array(ProviderChoice, { description: 'What can be connected' }),
})
export const ExternalIdentityParams = Type.Object({ externalIdentityId: Uuid })
export const BeginToConnect = strict({ providerSlug: ProviderSlug })
export const ConnectIdentity = strict({
  providerSlug: ProviderSlug,
  flow: Flow,
  answer: ProviderAnswer,
})
