import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'
import { faultsBetween } from './config-faults.ts'
import { NEVER_SCHEMES } from '../platform/http/links.ts'
import { StartRefused } from '../platform/problem.ts'
import { SIGN_IN_SETTINGS } from './sign-in.ts'
import { choice, optional, secret, text, whole } from './setting.ts'
import { DEMO_SETTINGS } from './demo.ts'
import { CONSENT_SETTINGS } from './consent.ts'
import { DOOR_SETTINGS } from './doors.ts'
import { EVENT_SETTINGS } from './events-out.ts'
import { RESERVATION_SETTINGS } from './reservations.ts'
import { TRAFFIC_SETTINGS } from './traffic.ts'

const SCHEME = '[a-z][a-z0-9+.-]*'

/** Everything an operator can set. `.env.example` and the settings reference are generated from it. */
export const Settings = Type.Object({
  PLACARD_MODE: choice(
    '`demo` seeds data and makes its own secrets; `production` wants them given',
    ['demo', 'production'],
  ),
  PLACARD_ROLE: choice(
    'Role of this process; `all` is an `api` that starts a worker process beside it',
    ['all', 'api', 'worker'],
  ),
  PLACARD_HOME: text('Folder for the embedded database, generated secrets and uploaded files', {
    default: '.placard',
    minLength: 1,
  }),
  PLACARD_CLOCK_OFFSET_MS: whole('Shifts the clock, for fault tests', {
    minimum: -3_600_000,
    maximum: 3_600_000,
    default: 0,
  }),
  API_HOST: text('Address that the API listens on', { default: '127.0.0.1' }),
  API_PORT: whole('Port of the API', { minimum: 0, maximum: 65_535, default: 8080 }),
  WORKER_PORT: whole("Port of the worker's health and metrics", {
    minimum: 0,
    maximum: 65_535,
    default: 3001,
  }),
  PUBLIC_URL: optional(text('Address under which browsers reach the API', { format: 'url' })),
  TRUSTED_PROXIES: text('Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted', {
    default: '',
  }),
  DATABASE_URL: optional(
    secret('PostgreSQL 15 or newer; without it an embedded one runs', {
      pattern: '^postgres(ql)?://',
    }),
  ),
  DATABASE_CONNECTIONS_MAX: whole('PostgreSQL connections of one process', {
    minimum: 2,
    maximum: 200,
    default: 20,
  }),
  START_PATIENCE_SECONDS: whole(
    'How long a start waits for a PostgreSQL or Redis that does not answer',
    { minimum: 0, maximum: 3_600, default: 60 },
  ),
  REDIS_URL: optional(
    secret(
      'Redis 6.2 or newer: shares frequency caps between nodes and keeps the queues of jobs. With commas between them: nodes of a Cluster',
      { pattern: '^rediss?://' },
    ),
  ),
  REDIS_PASSWORD: optional(secret('Password of Redis, if not in its URL')),
  QUEUE_BOARD: choice(
    '`on` shows the queues in Redis with Bull Board under `/queue-board`, to keys that may read operations',
    ['off', 'on'],
  ),
  REDIS_TIMEOUT_MS: whole(
    'How long a decision waits for Redis; after that the ad is shown without checking frequency caps',
    { minimum: 10, maximum: 10_000, default: 100 },
  ),
  ...SIGN_IN_SETTINGS,
  USER_KEY_SECRET: optional(
    secret('Hashes users’ ids; changing it makes every user unknown', { minLength: 32 }),
  ),
  ENCRYPTION_SECRET: optional(
    secret(
      'Encrypts stored secrets, such as those of webhooks and connections; losing it loses them',
      {
        minLength: 32,
      },
    ),
  ),
  ENCRYPTION_SECRET_OTHER: optional(
    secret(
      'While ENCRYPTION_SECRET is rotated: the next one, then the last one; it opens what was sealed with it',
      { minLength: 32 },
    ),
  ),
  CRAWL_ALLOWED_HOSTS: text(
    'Hosts on private networks that the crawler may read, separated by commas, with or without a port',
    { default: '' },
  ),
  CLASSIFIER_URL: optional(
    text(
      'An OpenAI-compatible endpoint that classifies pages; the address up to, but without, /chat/completions',
      {
        pattern: '^https?://',
      },
    ),
  ),
  CLASSIFIER_MODEL: text('Model of the classifier', { default: 'gpt-4o-mini', minLength: 1 }),
  CLASSIFIER_API_KEY: optional(secret('API key of the classifier', { minLength: 1 })),
  CLASSIFIER_CALLS_PER_MINUTE: whole(
    'Most calls to the classifier per minute; further pages are classified by keywords',
    {
      minimum: 1,
      maximum: 100_000,
      default: 60,
    },
  ),
  CRAWL_PAUSE_MS: whole('Pause between two requests of the crawler to one site', {
    minimum: 0,
    maximum: 60_000,
    default: 1_000,
  }),
  ...EVENT_SETTINGS,
  TRACKING_KEYS: optional(
    secret(
      'Keys of tracking links: `1:<secret>`, each secret of at least 32 characters. The first key encrypts; all of them decrypt. To replace a key, append the new one on every node, `1:<old>,2:<new>`; then put it first, `2:<new>,1:<old>`; remove the old one after 30 days',
      { pattern: '^[0-9]{1,3}:[^\\s,]{32,}([\\s,]+[0-9]{1,3}:[^\\s,]{32,})*$' },
    ),
  ),
  LINK_IMPRESSION_HOURS: whole('How long after serving an impression is billed', {
    minimum: 1,
    maximum: 24,
    default: 24,
  }),
  LINK_CLICK_DAYS: whole('How long after serving a click is billed; later clicks only redirect', {
    minimum: 1,
    maximum: 30,
    default: 30,
  }),
  LINK_SCHEMES: text(
    'Further schemes that landing pages may have, separated by commas, such as `market` for an app store',
    {
      default: 'http,https',
      pattern: `^(?!.*\\b(${NEVER_SCHEMES.join('|')})\\b)${SCHEME}(, *${SCHEME})*$`,
    },
  ),
  CLICK_ID_PARAMETER: text(
    'URL parameter that passes the click id to landing pages, for conversions; empty: only where their address has `{clickId}`',
    { default: 'placard_click', pattern: '^[a-z0-9_-]{0,40}$' },
  ),
  ...RESERVATION_SETTINGS,
  NEW_VISITOR_SECONDS: whole(
    'How long after a publisher first saw a reader the reader counts as a new visitor',
    { minimum: 1, maximum: 2_592_000, default: 86_400 },
  ),
  ...CONSENT_SETTINGS,
  ...DOOR_SETTINGS,
  GEOIP_PATH: optional(
    text('Geo-IP file (MMDB) with countries; else the one that comes along', { minLength: 1 }),
  ),
  GEOIP_URL: optional(
    text('Address of the Geo-IP file, downloaded daily', { pattern: '^https?://' }),
  ),
  GEOIP_AGE_DAYS_MAX: whole("Age at which an operator's own Geo-IP file degrades `/health`", {
    minimum: 1,
    maximum: 3_650,
    default: 45,
  }),
  GEO_PROFILE_URL: optional(
    text('A geo profile elsewhere that is told of authenticated requests, in place of our own', {
      pattern: '^https?://',
    }),
  ),
  GEO_PROFILE_TOKEN: optional(secret('API key for it, with the scope observations:write')),
  GEO_PROFILE_SENSITIVITY: choice('How easily two sessions in two countries become suspicious', [
    'standard',
    'permissive',
    'strict',
  ]),
  GEO_PROFILE_BATCH_MAX: whole('Observations that a worker processes per batch', {
    minimum: 1,
    maximum: 10_000,
    default: 1_000,
  }),
  GEO_OBSERVATION_RETENTION_DAYS: whole('How long hourly facts of observed countries are kept', {
    minimum: 30,
    maximum: 3_650,
    default: 90,
  }),
  USER_SERVICE_URL: optional(
    text('A User Service in place of the built-in accounts', { pattern: '^https?://' }),
  ),
  USER_SERVICE_TOKEN: optional(secret('API key that the User Service sends to the geo profile')),
  SESSION_SERVICE_URL: optional(
    text('An Auth/Session Service in place of the built-in accounts', { pattern: '^https?://' }),
  ),
  SESSION_SERVICE_TOKEN: optional(
    secret('API key that the Session Service sends to the geo profile'),
  ),
  RATE_LIMIT_PERMITS_PER_MINUTE: whole('Requests per minute of one caller to management routes', {
    minimum: 1,
    maximum: 1_000_000,
    default: 1_200,
  }),
  RATE_LIMIT_ACCOUNT_PERMITS_PER_MINUTE: whole(
    'Requests per minute of all users and keys of one account together to management routes; the platform has no such limit',
    { minimum: 1, maximum: 10_000_000, default: 6_000 },
  ),
  METRICS_ACCESS: optional(
    Type.Enum(['open', 'operations:read'], {
      description:
        'Who may read /metrics: anybody who reaches the port, or an API key with that scope. Default: open in the demo only',
    }),
  ),
  LOG_LEVEL: choice('Lowest level that is logged', ['info', 'debug', 'warn', 'error', 'silent']),
  LOG_LEVEL_NAMES: choice('Level in log lines as a number (30) or a word (info)', [
    'numbers',
    'words',
  ]),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    text('Collector of traces, over OTLP/HTTP', { pattern: '^https?://' }),
  ),
  ASSET_BYTES_MAX: whole('Largest file that can be uploaded', {
    minimum: 1_024,
    maximum: 104_857_600,
    default: 10_485_760,
  }),
  ASSET_S3_URL: optional(
    text(
      'Bucket for uploaded files: https://host/bucket or https://host/bucket/prefix; default: a folder under PLACARD_HOME',
      {
        pattern: '^https?://',
      },
    ),
  ),
  ASSET_S3_REGION: text('Region of the bucket', { default: 'us-east-1' }),
  ASSET_S3_ACCESS_KEY_ID: optional(text('Access key id for the bucket')),
  ASSET_S3_SECRET_ACCESS_KEY: optional(secret('Secret access key for the bucket')),
  AUCTION_RETENTION_DAYS: whole('How long auction records are kept', {
    minimum: 1,
    maximum: 3_650,
    default: 30,
  }),
  ...DEMO_SETTINGS,
  EVENT_RETENTION_DAYS: whole('How long impressions, views, clicks and steps of films are kept', {
    minimum: 46,
    maximum: 3_650,
    default: 400,
  }),
  CONVERSION_RETENTION_DAYS: whole('How long conversions are kept', {
    minimum: 46,
    maximum: 3_650,
    default: 400,
  }),
  INGEST_BATCH_MS_MAX: whole(
    'A batch that has not committed by then no longer delays the next; under high load, a small batch is settled this often',
    {
      minimum: 10,
      maximum: 10_000,
      default: 500,
    },
  ),
  INGEST_BATCH_EVENTS_MAX: whole('Most events settled in one transaction', {
    minimum: 1,
    maximum: 50_000,
    default: 10_000,
  }),
  INGEST_WAITING_EVENTS_MAX: whole('Most events waiting in memory; more are refused with 503', {
    minimum: 100,
    maximum: 1_000_000,
    default: 20_000,
  }),
  INGEST_RUSH_MS_MAX: whole(
    'How long settling may wait while requests keep the process busy, except for small batches; 0: never',
    { minimum: 0, maximum: 60_000, default: 8_000 },
  ),
  INGEST_CONNECTIONS: whole(
    'Most PostgreSQL connections that settle events, and as many that stage them',
    {
      minimum: 1,
      maximum: 32,
      default: 4,
    },
  ),
  BUDGET_LEASE_SECONDS: whole(
    'How long after a node’s last heartbeat its leases return to the other nodes',
    { minimum: 2, maximum: 600, default: 60 },
  ),
  SPOOL_BYTES_MAX: whole(
    'Largest spool: events kept under PLACARD_HOME while PostgreSQL is unavailable; when it is full, events are refused with 503',
    { minimum: 1_024, maximum: 1_099_511_627_776, default: 1_073_741_824 },
  ),
  ATTRIBUTION_MODEL: choice('How a conversion is credited to the clicks and views before it', [
    'last-click',
    'first-click',
    'linear',
  ]),
  ATTRIBUTION_CLICK_DAYS: whole('How long after a click a conversion is credited to it', {
    minimum: 1,
    maximum: 30,
    default: 7,
  }),
  ATTRIBUTION_VIEW_DAYS: whole('How long after an impression a conversion is credited to it', {
    minimum: 1,
    maximum: 30,
    default: 1,
  }),
  ...TRAFFIC_SETTINGS,
  BANNER_SCHEDULE_SYNC_CRON: text(
    'When banners and campaigns change status by their dates (five-field cron, UTC)',
    { default: '* * * * *' },
  ),
  BANNER_STATS_ROLLUP_CRON: text('When past days are rolled up per banner (cron, UTC)', {
    default: '0 1 * * *',
  }),
  CHANNEL_SYNC_CRON: text('When figures of other channels are fetched (cron, UTC)', {
    default: '*/5 * * * *',
  }),
  CHANNEL_RAW_RETENTION_DAYS: whole('How long a channel’s raw answers are kept; 0: for ever', {
    minimum: 0,
    maximum: 3_650,
    default: 0,
  }),
  STATS_QUARTER_RETENTION_DAYS: whole(
    'How long 15-minute sums are kept; limits reports by hour, and in zones other than UTC',
    { minimum: 46, maximum: 3_650, default: 400 },
  ),
  STATS_DAY_RETENTION_DAYS: whole('How long daily sums (UTC) are kept', {
    minimum: 46,
    maximum: 36_500,
    default: 3_650,
  }),
  META_GRAPH_URL: text('The Graph API with its version', {
    default: 'https://graph.facebook.com/v23.0',
    format: 'url',
  }),
  MOCK_PROVIDER: choice('Whether connections with made-up figures are allowed in production', [
    'refused',
    'allowed',
  ]),
  BANNER_SERVE_CACHE_TTL_SECONDS: whole(
    'Accepted but ignored: answers come from the index in memory, not from a cache',
    { minimum: 0, maximum: 86_400, default: 60 },
  ),
})

export type Config = Readonly<Static<typeof Settings>>

/** Names of the settings given. An empty value counts as not given. */
export const givenSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> =>
  new Set(Object.keys(Settings.properties).filter((name) => environment[name]))

export const linkSchemesOf = ({
  LINK_SCHEMES,
}: Pick<Config, 'LINK_SCHEMES'>): ReadonlySet<string> => new Set(LINK_SCHEMES.split(/, */))

/** Private hosts that may be read besides the internet: the demo reads its own pages. */
export function readableHostsOf({
  CRAWL_ALLOWED_HOSTS,
  PLACARD_MODE,
  API_PORT,
}: Pick<Config, 'CRAWL_ALLOWED_HOSTS' | 'PLACARD_MODE' | 'API_PORT'>): readonly string[] {
  const listed = CRAWL_ALLOWED_HOSTS.split(/[\s,]+/).filter(Boolean)
  return PLACARD_MODE === 'demo' ? [...listed, `localhost:${API_PORT}`] : listed
}

/** Reports every fault at once: the operator should not have to restart once per mistake. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    [...givenSettings(environment)].map((name) => [name, environment[name]]),
  )
  const settings = Value.Convert(Settings, Value.Default(Settings, given))
  const faults = [
    ...Value.Errors(Settings, settings).map(
      ({ instancePath, message }) => `${instancePath.slice(1)} ${message}`,
    ),
    ...faultsBetween(settings as Config),
  ]
  if (faults.length === 0) return settings as Config
  throw new StartRefused(`These settings are not valid: ${faults.join('; ')}.`)
}
