import { choice, optional, secret, text, whole } from './setting.ts'

const ROLE = '(operator|ad-ops|advertiser|publisher|trust)'

/** How people sign in. */
export const SIGN_IN_SETTINGS = {
  JWT_SECRET: optional(secret('Signs access tokens; at least 32 characters', { minLength: 32 })),
  JWT_SECRET_OTHER: optional(
    secret(
      'While JWT_SECRET is rotated: the next one, then the last one; its tokens are taken too',
      {
        minLength: 32,
      },
    ),
  ),
  JWT_ISSUER: text('Issuer of our access tokens', { default: 'placard', minLength: 1 }),
  JWT_AUDIENCE: text('Audience of our access tokens', { default: 'placard', minLength: 1 }),
  JWT_ACCESS_TOKEN_EXPIRY_MINUTES: whole('Lifetime of an access token', {
    minimum: 1,
    maximum: 1_440,
    default: 15,
  }),
  JWT_REFRESH_TOKEN_EXPIRY_DAYS: whole('Lifetime of a refresh token', {
    minimum: 1,
    maximum: 365,
    default: 7,
  }),
  JWT_EXTERNAL_JWKS_URL: optional(
    text('JWKS address of your own identity provider; its access tokens are then accepted too', {
      pattern: '^https?://',
    }),
  ),
  JWT_EXTERNAL_ISSUER: optional(text('Issuer that those tokens name', { minLength: 1 })),
  JWT_EXTERNAL_AUDIENCE: optional(text('Audience that those tokens name', { minLength: 1 })),
  JWT_EXTERNAL_TRUSTS_FACTOR: choice(
    '`on`: those tokens count as signed in with a second factor. Otherwise users who need or have one get in only with a token whose `amr` says so',
    ['off', 'on'],
  ),
  SUPPORT_CONTACT: optional(
    text('Whom users ask when their session was blocked: a mail address, a number or a name', {
      minLength: 1,
      maxLength: 200,
    }),
  ),
  FACTOR_REQUIRED_ROLES: optional(
    text(
      'Roles that need a second factor to sign in, separated by commas, or `none`. Default: operator and ad-ops in production, none in the demo',
      {
        pattern: `^(none|${ROLE}(, *${ROLE})*)$`,
      },
    ),
  ),
  OIDC_ALLOWED_HOSTS: text(
    'Hosts, separated by commas, that identity providers may have over plain HTTP or inside your own network',
    { default: '' },
  ),
  SIGN_IN_PERMITS_PER_MINUTE: whole('Sign-ins a minute from one address', {
    minimum: 1,
    maximum: 10_000,
    default: 20,
  }),
  SIGN_IN_FAILURES_MAX: whole('Wrong passwords for one user before unknown devices are refused', {
    minimum: 3,
    maximum: 1_000,
    default: 10,
  }),
  SIGN_IN_FAILURE_MINUTES: whole('How long unknown devices are refused', {
    minimum: 1,
    maximum: 1_440,
    default: 15,
  }),
}
