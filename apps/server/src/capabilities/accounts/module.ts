import { bindJob, type Jobs } from '../../platform/jobs/job.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import type { Identify } from '../../platform/http/access.ts'
import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import type { Secrets } from '../../settings/secrets.ts'
import { identifyBy } from './access/identify.ts'
import { factorRolesOf } from './factors/factor.ts'
import { passkeySiteOf } from './factors/passkey-site.ts'
import { clearSessionsJob } from './jobs.ts'
import { linkParts, type MailSettings, MAILS } from './links/parts.ts'
import { sendMailJob } from './mails/mails.ts'
import { type AccountRouteDeps, accountRoutes } from './routes-admin.ts'
import { FLOWS } from './oidc/flow.ts'
import { createProviders } from './oidc/providers.ts'
import { identityProviderRoutes } from './oidc/routes-admin.ts'
import { CLIENT_SECRETS } from './oidc/tables.ts'
import { internalRoutes } from './routes-internal.ts'
import { HELP } from './sessions/blocked.ts'
import { signInLimits } from './sessions/limits.ts'
import { type AuthOptions, authRoutes } from './sessions/routes.ts'
import { createTokens, type TokenSettings } from './sessions/tokens.ts'
import { type SwitchRouteDeps, switchRoutes } from './switches/routes.ts'
import { FACTOR_SECRETS } from './tables.ts'
import { inQueue } from './users/hashing-queue.ts'
import type { Passwords } from './users/passwords.ts'

export const ACCOUNT_JOBS = [clearSessionsJob, sendMailJob]

export interface AccountsApiDeps extends Pick<
  ProcessBase,
  keyof ResourceDeps | 'log' | 'metrics' | 'secretBoxFor'
> {
  readonly config: TokenConfig &
    MailSettings &
    Pick<
      Config,
      | 'SIGN_IN_PERMITS_PER_MINUTE'
      | 'SIGN_IN_FAILURES_MAX'
      | 'SIGN_IN_FAILURE_MINUTES'
      | 'RATE_LIMIT_PERMITS_PER_MINUTE'
      | 'PLACARD_MODE'
      | 'FACTOR_REQUIRED_ROLES'
      | 'PUBLIC_URL'
      | 'SUPPORT_CONTACT'
      | 'OIDC_ALLOWED_HOSTS'
    >
  readonly secrets: Pick<Secrets, 'jwtSecret' | 'otherJwtSecret' | 'userKeySecret'>
  readonly jobs: Jobs | undefined
  readonly passwords: Passwords
  readonly switchDefinitions: SwitchRouteDeps['switchDefinitions']
  /** Sign-ins that the demo's sign-in page offers. */
  readonly demo: AuthOptions['demo']
  readonly whenSessionDecided: AccountRouteDeps['whenSessionDecided']
}

export interface AccountsApi {
  /** Identifies the caller of a request. */
  readonly identify: Identify
}

/** Sign-in, users and keys, and the caller of each route. */
export function accountsApi(deps: AccountsApiDeps): CapabilityModule & AccountsApi {
  const signIn = signInParts(deps)
  return {
    name: 'accounts',
    identify: identifyBy(signIn),
    routes: [
      routeGroup('/api/v1', authRoutes, signIn),
      routeGroup('/api/v1/admin', accountRoutes, signIn),
      routeGroup('/api/v1/admin', identityProviderRoutes, signIn),
      routeGroup('/api/v1/admin', switchRoutes, deps),
      routeGroup('/api/v1/internal', internalRoutes, deps),
    ],
    stop: () => signIn.providers.close(),
  }
}

/** Tokens, passwords, limits and mails for signing in. */
function signInParts(deps: AccountsApiDeps) {
  const { config, secrets, metrics } = deps
  return {
    ...deps,
    ...linkParts(deps),
    ...oidcParts(deps),
    tokens: createTokens(tokenSettings(deps), deps),
    passwords: inQueue(deps.passwords, metrics),
    limits: signInLimits(deps, {
      signInsPerMinute: config.SIGN_IN_PERMITS_PER_MINUTE,
      failuresMax: config.SIGN_IN_FAILURES_MAX,
      failureMinutes: config.SIGN_IN_FAILURE_MINUTES,
      secret: secrets.userKeySecret,
    }),
    signInsPerMinute: config.SIGN_IN_PERMITS_PER_MINUTE,
    factorBox: deps.secretBoxFor(FACTOR_SECRETS.purpose),
    factorRoles: factorRolesOf(config.FACTOR_REQUIRED_ROLES, {
      isProduction: config.PLACARD_MODE === 'production',
    }),
    publicUrl: config.PUBLIC_URL,
    passkeySite: passkeySiteOf(config.PUBLIC_URL),
    refreshesPerMinute: config.RATE_LIMIT_PERMITS_PER_MINUTE,
    cookies: { isDemo: config.PLACARD_MODE === 'demo' },
    contact: config.SUPPORT_CONTACT ?? HELP,
  }
}

/** The identity providers, and what is sealed for them. */
function oidcParts({ config, log, secretBoxFor }: AccountsApiDeps) {
  const clientSecretBox = secretBoxFor(CLIENT_SECRETS.purpose)
  const allowedHosts = config.OIDC_ALLOWED_HOSTS
  return {
    clientSecretBox,
    flowBox: secretBoxFor(FLOWS),
    providers: createProviders({ log, secretBox: clientSecretBox, allowedHosts }),
  }
}

export interface AccountsWorkerDeps extends Pick<ProcessBase, 'db' | 'clock' | 'secretBoxFor'> {
  readonly config: MailSettings
}

export function accountsWorker(deps: AccountsWorkerDeps): CapabilityModule {
  const { SMTP_URL: url, MAIL_FROM: from } = deps.config
  const mailer = url && from ? createMailer({ url, from }) : undefined
  const secretBox = deps.secretBoxFor(MAILS)
  return {
    name: 'accounts',
    jobs: [
      bindJob(clearSessionsJob, deps, '7 * * * *'),
      bindJob(sendMailJob, { mailer, secretBox }),
    ],
    async stop() {
      mailer?.close()
    },
  }
}

type TokenConfig = Pick<
  Config,
  | 'JWT_ISSUER'
  | 'JWT_AUDIENCE'
  | 'JWT_ACCESS_TOKEN_EXPIRY_MINUTES'
  | 'JWT_REFRESH_TOKEN_EXPIRY_DAYS'
  | 'JWT_EXTERNAL_JWKS_URL'
  | 'JWT_EXTERNAL_ISSUER'
  | 'JWT_EXTERNAL_AUDIENCE'
  | 'JWT_EXTERNAL_TRUSTS_FACTOR'
>

function tokenSettings({
  config,
  secrets,
}: Pick<AccountsApiDeps, 'config' | 'secrets'>): TokenSettings {
  const { JWT_EXTERNAL_JWKS_URL, JWT_EXTERNAL_ISSUER, JWT_EXTERNAL_AUDIENCE } = config
  return {
    secret: secrets.jwtSecret,
    otherSecret: secrets.otherJwtSecret,
    issuer: config.JWT_ISSUER,
    audience: config.JWT_AUDIENCE,
    accessMinutes: config.JWT_ACCESS_TOKEN_EXPIRY_MINUTES,
    refreshDays: config.JWT_REFRESH_TOKEN_EXPIRY_DAYS,
    ...(JWT_EXTERNAL_JWKS_URL &&
      JWT_EXTERNAL_ISSUER &&
      JWT_EXTERNAL_AUDIENCE && {
        external: {
          jwksUrl: JWT_EXTERNAL_JWKS_URL,
          issuer: JWT_EXTERNAL_ISSUER,
          audience: JWT_EXTERNAL_AUDIENCE,
          trustsFactor: config.JWT_EXTERNAL_TRUSTS_FACTOR === 'on',
        },
      }),
  }
}
