import { bindJob } from '../../platform/jobs/job.ts'
import type { Identify } from '../../platform/http/access.ts'
import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import type { Secrets } from '../../settings/secrets.ts'
import { identifyBy } from './access/identify.ts'
import { clearSessionsJob } from './jobs.ts'
import { accountRoutes } from './routes-admin.ts'
import { internalRoutes } from './routes-internal.ts'
import { type AuthOptions, authRoutes } from './sessions/routes.ts'
import { createTokens, type TokenSettings } from './sessions/tokens.ts'
import { type SwitchRouteDeps, switchRoutes } from './switches/routes.ts'
import type { Passwords } from './users/passwords.ts'

export const ACCOUNT_JOBS = [clearSessionsJob]

export interface AccountsApiDeps extends Pick<ProcessBase, keyof ResourceDeps> {
  readonly config: TokenConfig &
    Pick<Config, 'SIGN_IN_PERMITS_PER_MINUTE' | 'RATE_LIMIT_PERMITS_PER_MINUTE' | 'PLACARD_MODE'>
  readonly secrets: Pick<Secrets, 'jwtSecret'>
  readonly passwords: Passwords
  readonly switchDefinitions: SwitchRouteDeps['switchDefinitions']
  /** Sign-ins that the sign-in page offers. */
  readonly demo: AuthOptions['demo']
}

export interface AccountsApi {
  /** Finds out who calls. */
  readonly identify: Identify
}

/** Signing in, users and keys; and who calls each route of the process. */
export function accountsApi(deps: AccountsApiDeps): CapabilityModule & AccountsApi {
  const { config } = deps
  const tokens = createTokens(tokenSettings(deps), deps)
  const signIn = {
    ...deps,
    tokens,
    signInsPerMinute: config.SIGN_IN_PERMITS_PER_MINUTE,
    refreshesPerMinute: config.RATE_LIMIT_PERMITS_PER_MINUTE,
    cookies: { isDemo: config.PLACARD_MODE === 'demo' },
  }
  return {
    name: 'accounts',
    identify: identifyBy({ ...deps, tokens }),
    routes: [
      routeGroup('/api/v1', authRoutes, signIn),
      routeGroup('/api/v1/admin', accountRoutes, deps),
      routeGroup('/api/v1/admin', switchRoutes, deps),
      routeGroup('/api/v1/internal', internalRoutes, deps),
    ],
  }
}

export const accountsWorker = (deps: Pick<ProcessBase, 'db' | 'clock'>): CapabilityModule => ({
  name: 'accounts',
  jobs: [bindJob(clearSessionsJob, deps, '7 * * * *')],
})

type TokenConfig = Pick<
  Config,
  | 'JWT_ISSUER'
  | 'JWT_AUDIENCE'
  | 'JWT_ACCESS_TOKEN_EXPIRY_MINUTES'
  | 'JWT_REFRESH_TOKEN_EXPIRY_DAYS'
  | 'JWT_EXTERNAL_JWKS_URL'
  | 'JWT_EXTERNAL_ISSUER'
  | 'JWT_EXTERNAL_AUDIENCE'
>

function tokenSettings({
  config,
  secrets,
}: Pick<AccountsApiDeps, 'config' | 'secrets'>): TokenSettings {
  const { JWT_EXTERNAL_JWKS_URL, JWT_EXTERNAL_ISSUER, JWT_EXTERNAL_AUDIENCE } = config
  return {
    secret: secrets.jwtSecret,
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
        },
      }),
  }
}
