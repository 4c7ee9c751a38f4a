import { cronFault } from '../platform/jobs/schedules/cron.ts'
import type { Config } from './config.ts'

/** Faults between settings that are valid one by one. */
export const faultsBetween = (config: Config): string[] => [
  ...missingSecrets(config),
  ...schedulesThatNeverCome(config),
  ...TOGETHER.flatMap((names) => halfGiven(config, names)),
  ...streamWithoutRedis(config),
  ...boardWithoutRedis(config),
  ...demoInReach(config),
]

/** With such a schedule a worker would fail at every start. */
const schedulesThatNeverCome = (config: Config): string[] =>
  Object.entries(config)
    .filter(([name]) => name.endsWith('_CRON'))
    .flatMap(([name, text]) => {
      const fault = cronFault(String(text))
      return fault === undefined ? [] : [`${name} ${fault}`]
    })

const SECRETS_WANTED = [
  'JWT_SECRET',
  'USER_KEY_SECRET',
  'TRACKING_KEYS',
  'ENCRYPTION_SECRET',
] as const

function missingSecrets(config: Config): string[] {
  if (config.PLACARD_MODE !== 'production') return []
  return SECRETS_WANTED.filter((name) => !config[name]).map(
    (name) => `${name} must be given in production`,
  )
}

const TOGETHER = [
  ['JWT_EXTERNAL_JWKS_URL', 'JWT_EXTERNAL_ISSUER', 'JWT_EXTERNAL_AUDIENCE'],
  ['ASSET_S3_URL', 'ASSET_S3_ACCESS_KEY_ID', 'ASSET_S3_SECRET_ACCESS_KEY'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['GEO_PROFILE_URL', 'GEO_PROFILE_TOKEN'],
  ['USER_SERVICE_URL', 'USER_SERVICE_TOKEN'],
  ['SESSION_SERVICE_URL', 'SESSION_SERVICE_TOKEN'],
] as const

/** Some settings only make sense together. */
function halfGiven(config: Config, names: readonly (keyof Config)[]): string[] {
  const missing = names.filter((name) => !config[name])
  if (missing.length === 0 || missing.length === names.length) return []
  return missing.map((name) => `${name} must be given with ${names.join(', ')}`)
}

function streamWithoutRedis({ EVENT_SINKS, REDIS_URL }: Config): string[] {
  if (!EVENT_SINKS.includes('redis') || REDIS_URL) return []
  return ['REDIS_URL must be given with redis in EVENT_SINKS']
}

function boardWithoutRedis({ QUEUE_BOARD, REDIS_URL }: Config): string[] {
  if (QUEUE_BOARD === 'off' || REDIS_URL) return []
  return ['REDIS_URL must be given with QUEUE_BOARD on']
}

/** Reachable from this machine only. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

export const isDemoInReach = ({ PLACARD_MODE, API_HOST }: Config): boolean =>
  PLACARD_MODE === 'demo' && !LOOPBACK.test(API_HOST)

function demoInReach(config: Config): string[] {
  if (!isDemoInReach(config) || config.DEMO_PUBLIC === 'on') return []
  return [
    `API_HOST=${config.API_HOST} lets other machines reach a demo whose passwords are public; set DEMO_PUBLIC=on if you mean it, or PLACARD_MODE=production`,
  ]
}
