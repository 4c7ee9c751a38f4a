import { Type } from 'typebox'
import {
  BY_NAME,
  Country,
  DELETED_AT,
  filterText,
  Instant,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  Search,
  strict,
  textOf,
  Uuid,
} from '../shared.ts'

export const ROLES = ['operator', 'ad-ops', 'advertiser', 'publisher', 'trust'] as const
export const ACCOUNT_KINDS = ['platform', 'advertiser', 'publisher'] as const

const AccountKind = oneOf(['advertiser', 'publisher', 'platform'])
const Role = oneOf(['operator', 'ad-ops', 'advertiser', 'publisher', 'trust'])
const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@northwind.example'] })
const Password = Type.String({
  minLength: 12,
  maxLength: 256,
  format: 'plain-text',
  examples: ['correct horse battery staple'],
})
/** Accepts passwords set under older rules: only a new password must meet today's. */
export const GivenPassword = Type.String({
  minLength: 1,
  maxLength: 256,
  format: 'plain-text',
  examples: ['correct horse battery staple'],
})
export const DeviceName = textOf(120, 'Firefox on Linux')
const ReasonCode = Type.String({ pattern: '^[a-z0-9_]{1,64}$', examples: ['lost_device'] })
const Scope = Type.String({ pattern: '^[a-z-]{1,40}:(read|write)$', examples: ['campaigns:read'] })
const includeDeleted = Type.Optional(Type.Boolean({ default: false }))

const RequiresFactor = Type.Boolean({
  description: 'All users of the account need a second factor to sign in',
})

export const CreateAccount = strict({
  kind: AccountKind,
  name: Name,
  requiresFactor: Type.Optional(RequiresFactor),
})
export const PatchAccount = strict({
  name: Type.Optional(Name),
  requiresFactor: Type.Optional(RequiresFactor),
})
export const AccountQuery = strict({
  ...PAGE_QUERY,
  includeDeleted,
  search: Type.Optional(Search),
  sort: Type.Optional(BY_NAME),
  kind: Type.Optional(AccountKind),
})
export const Account = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  kind: AccountKind,
  name: Name,
  requiresFactor: RequiresFactor,
})

export const CreateUser = strict({
  accountId: Uuid,
  email: Email,
  displayName: Name,
  role: Type.Enum([...ROLES], { examples: ['advertiser'] }),
  password: Password,
})
export const PatchUser = strict({
  displayName: Type.Optional(Name),
  role: Type.Optional(Type.Enum([...ROLES], { examples: ['advertiser'] })),
  isActive: Type.Optional(Type.Boolean()),
})
export const SetPassword = strict({ password: Password })
export const UserQuery = strict({
  ...PAGE_QUERY,
  includeDeleted,
  search: Type.Optional(Search),
  accountId: Type.Optional(Uuid),
  role: Type.Optional(Role),
  isActive: Type.Optional(Type.Boolean()),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt', 'displayName', '-displayName'])),
})
export const User = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  accountId: Uuid,
  accountName: Type.String(),
  accountKind: AccountKind,
  email: Email,
  displayName: Name,
  role: Role,
  isActive: Type.Boolean(),
  hasFactor: Type.Boolean({ description: 'Signs in with a second factor' }),
  signsInBy: oneOf(['password', 'provider']),
  declaredCountry: nullable(Country),
})

/** Browsers ask for a cookie that scripts cannot read. Programs take the token from the body. */
export const RefreshTokenIn = Type.Enum(['body', 'cookie'], {
  default: 'body',
  description:
    'Where to return the refresh token: in the body, or in a cookie that scripts cannot read',
  examples: ['body'],
})
const RefreshToken = Type.String({
  pattern: '^[A-Za-z0-9_-]{20,200}$',
  deprecated: true,
  description: 'Deprecated, to be removed in two releases: use the cookie or an API key',
  examples: ['zJx0cV4mWq8S2n6uB1eT9yRk3oL7aHfD5gPiXwUtQsE'],
})

export const SignIn = strict({
  email: Email,
  password: GivenPassword,
  deviceName: Type.Optional(DeviceName),
  refreshTokenIn: Type.Optional(RefreshTokenIn),
})
export const DemoSignIns = Type.Object({
  password: Type.String(),
  signIns: Type.Array(Type.Object({ role: Role, email: Type.String(), of: Type.String() })),
})
export const ProviderSlug = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$',
  description: 'Names the identity provider in addresses; never changes',
  examples: ['google'],
})
export const ProviderName = textOf(60, 'Company sign-in')
export const ProviderChoice = Type.Object({ slug: ProviderSlug, name: ProviderName })
export const SignInOptions = Type.Object({
  identityProviders: Type.Array(ProviderChoice),
  demo: nullable(DemoSignIns),
  sendsMail: Type.Boolean({
    description: 'True if the server can mail a link to reset a password',
  }),
  passkeyHost: nullable(Type.String(), 'Passkeys work for pages of this host; null: for none'),
})
export const Refresh = strict({
  refreshToken: Type.Optional(RefreshToken),
  refreshTokenIn: Type.Optional(RefreshTokenIn),
})
export const SignedIn = Type.Object({
  accessToken: Type.String(),
  accessTokenExpiresAt: Instant,
  refreshToken: Type.Optional(RefreshToken),
  refreshTokenExpiresAt: Instant,
  sessionId: Uuid,
})
export const SignedOut = Type.Object({
  signOutAddress: Type.String({ description: 'Where to end the session at the provider too' }),
})
export const Me = Type.Object({
  kind: oneOf(['user', 'key']),
  id: Uuid,
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  mustSetUpFactor: Type.Boolean({
    description: 'Until a second factor is set up, only the routes for doing so are open',
  }),
  user: nullable(User),
})
export const ChangePassword = strict({
  currentPassword: GivenPassword,
  newPassword: Password,
})

export const LinkToken = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'The part of the link after #',
  examples: ['zJx0cV4mWq8S2n6uB1eT9yRk3oL7aHfD5gPiXwUtQsE'],
})
export const ForgotPassword = strict({ email: Email })
export const ChoosePassword = strict({ linkToken: LinkToken, password: Password })
export const ConfirmEmail = strict({ linkToken: LinkToken })
export const EmailConfirmed = Type.Object({
  isChanged: Type.Boolean({ description: 'False until the new address is confirmed' }),
})
export const AskForEmail = strict({ email: Email })
export const AskForOwnEmail = strict({ email: Email, currentPassword: GivenPassword })
export const InviteUser = strict({
  accountId: Uuid,
  email: Email,
  displayName: Name,
  role: Type.Enum([...ROLES], { examples: ['advertiser'] }),
})
export const HandedLink = Type.Object({
  sentTo: nullable(Type.String()),
  link: nullable(
    Type.String({
      description:
        'Only when no mail is sent, and to operators: pass this link on yourself. Shown once',
    }),
  ),
  expiresAt: Instant,
})
export const HandedLinks = Type.Object({ items: Type.Array(HandedLink) })
export const InvitedUser = Type.Object({ ...HandedLink.properties, user: User })

export const DeviceSession = Type.Object({
  id: Uuid,
  userId: Uuid,
  deviceName: Type.String(),
  createdAt: Instant,
  lastSeenAt: Instant,
  expiresAt: Instant,
  revokedAt: nullable(Instant),
  blockedAt: nullable(Instant),
  reasonCode: nullable(Type.String()),
})
export const SessionQuery = strict({ ...PAGE_QUERY, userId: Type.Optional(Uuid) })
export const OwnSessionQuery = strict(PAGE_QUERY)
export const SessionParams = Type.Object({ sessionId: Uuid })
export const UserParams = Type.Object({ userId: Uuid })
export const EndSession = strict({ reasonCode: ReasonCode })

export const CreateApiKey = strict({
  name: Name,
  accountId: Uuid,
  scopes: Type.Array(Scope, { minItems: 1, maxItems: 64, uniqueItems: true }),
  expiresAt: Type.Optional(nullable(Instant)),
})
export const ApiKeyQuery = strict({
  ...PAGE_QUERY,
  search: Type.Optional(Search),
  accountId: Type.Optional(Uuid),
  sort: Type.Optional(BY_NAME),
})
export const ApiKey = Type.Object({
  id: Uuid,
  accountId: Uuid,
  name: Name,
  keyStart: Type.String({ description: 'First characters of the key, to tell keys apart' }),
  scopes: Type.Array(Type.String()),
  createdAt: Instant,
  expiresAt: nullable(Instant),
  lastUsedAt: nullable(Instant),
  revokedAt: nullable(Instant),
})
export const NewApiKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({ description: 'The key itself, shown once' }),
})

export const AuditQuery = strict({
  ...PAGE_QUERY,
  entity: Type.Optional(filterText(64)),
  entityId: Type.Optional(filterText(128)),
  actorId: Type.Optional(Uuid),
  action: Type.Optional(filterText(128)),
  occurredFrom: Type.Optional(Instant),
  occurredBefore: Type.Optional(Instant),
})
export const AuditRecord = Type.Object({
  id: Uuid,
  occurredAt: Instant,
  actorKind: Type.String(),
  actorId: nullable(Uuid),
  actorName: Type.String(),
  action: Type.String(),
  entity: Type.String(),
  entityId: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  requestId: nullable(Type.String()),
})

export const SwitchState = Type.Object({
  name: Type.String(),
  about: Type.String(),
  isOn: Type.Boolean(),
  note: Type.String(),
})
export const SwitchList = Type.Object({ items: Type.Array(SwitchState) })
export const SwitchParams = Type.Object({
  switchName: Type.String({ pattern: '^[a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*$', maxLength: 100 }),
})
export const SetSwitch = strict({
  isOn: Type.Boolean({ examples: [true] }),
  note: Type.Optional(textOf(500, 'Rolled back after the incident')),
})
