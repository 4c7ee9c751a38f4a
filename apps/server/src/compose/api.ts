import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import {
  accountRoutes,
  argon2Passwords,
  auditTo,
  authRoutes,
  createTokens,
  identifyBy,
  internalRoutes,
  switchRoutes,
  type Passwords,
  type TokenSettings,
} from '../capabilities/accounts/index.ts'
import { type KnownCampaign, type PacerDeps, pacerRoutes } from '../capabilities/budgets/index.ts'
import {
  advertiser,
  campaign,
  campaignEvents,
  campaignRoutes,
} from '../capabilities/campaigns/index.ts'
import { adsManagerRoutes, connectionRoutes } from '../capabilities/channels/index.ts'
import {
  assetFileRoutes,
  banner,
  creativeRoutes,
  requestApprovalsOfSlot,
  type AssetStorage,
} from '../capabilities/creatives/index.ts'
import { webhookRoutes } from '../capabilities/events-out/index.ts'
import { noticeRoutes } from '../capabilities/notices/index.ts'
import { proposalRoutes, proposeWith } from '../capabilities/proposals/index.ts'
import { frequencyRoutes } from '../capabilities/frequency/index.ts'
import { reportRoutes } from '../capabilities/reports/index.ts'
import { inventoryRoutes, placement, site } from '../capabilities/inventory/index.ts'
import { learningRoutes } from '../capabilities/learning/index.ts'
import { rescoreRoutes } from '../capabilities/tracking/index.ts'
import { contextualRoutes } from '../capabilities/contextual/index.ts'
import { contextualRouteDeps } from '../capabilities/contextual/module.ts'
import { geoProfileApi } from '../capabilities/geo-profile/module.ts'
import { connectionDeps } from '../capabilities/channels/module.ts'
import type { LiveUpdates } from '../platform/live-updates/live-updates.ts'
import { composeShop } from './demo.ts'
import { openQueueBoard } from '../platform/jobs/open.ts'
import { mountRoutes } from '../platform/modules.ts'
import { systemTimers } from '../platform/background/timers.ts'
import { metricsAccess, sourceOf } from './base.ts'
import type { Serving } from './serving.ts'
import type { Tracking } from './tracking.ts'
import { type Config, linkSchemesOf } from '../settings/config.ts'
import { demoSignIns } from './demo.ts'
import type { Random } from '../platform/random.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/connect.ts'
import { pingDatabase } from '../platform/database/ping.ts'
import { healthRoutes } from '../platform/http/health.ts'
import { serveReference } from '../platform/http/openapi.ts'
import { createHttp, type Http } from '../platform/http/server.ts'
import { serveWebApp } from '../platform/http/web-app.ts'
import { idsFrom } from '../platform/ids.ts'
import type { Jobs, JobDefinition } from '../platform/jobs/job.ts'
import { jobRoutes } from '../platform/jobs/routes.ts'
import { nodeRoutes } from '../platform/nodes/routes.ts'
import {
  type Actor,
  getRow,
  type Resource,
  type ResourceDeps,
} from '../platform/resources/index.ts'
import { measureRequests, metricsRoute } from '../platform/telemetry/metrics.ts'
import { openSecretBox, type SecretBox } from '../platform/secret-box.ts'
import type { Tracing } from '../platform/telemetry/tracing.ts'
import type { Secrets } from '../settings/secrets.ts'
import { settingRoutes } from '../settings/routes.ts'
import { SWITCHES } from './switches.ts'
import { tagRoutes } from '../tag-routes.ts'

/** What a process brings along: the rest is made from it. */
export interface Surroundings {
  readonly config: Config
  /** Names of the settings that the environment gave. */
  readonly givenSettings?: ReadonlySet<string>
  /** How this process is called among the others. */
  readonly nodeId?: string
  readonly secrets: Secrets
  readonly db: Database
  readonly log: FastifyBaseLogger
  readonly metrics: Registry
  readonly clock: Clock
  readonly random: Random
  readonly storage: AssetStorage
  /** Connections of their own for exports, whose readers may be slow. */
  readonly exportDb?: Database | undefined
  readonly passwords?: Passwords
  readonly tracing?: Tracing | undefined
  /** The queue of background work, and what is in it. */
  readonly jobs?: Jobs | undefined
  readonly knownJobs?: readonly JobDefinition[]
  /** Present in a process that answers with ads. */
  readonly serving?: Serving | undefined
  /** Present where events are counted. */
  readonly tracking?: Tracking | undefined
  /** Present where somebody tells of changes. */
  readonly liveUpdates?: LiveUpdates | undefined
}

export interface Api {
  readonly http: Http
  /** From now on the node asks for no more traffic; what it has, it finishes. */
  drain(): void
}

/** The API of one node, made from top to bottom. */
export async function composeApi(surroundings: Surroundings): Promise<Api> {
  const { config, db, log, metrics, clock, random, tracking } = surroundings
  const ids = idsFrom(surroundings)
  const tokens = createTokens(tokenSettings(surroundings), surroundings)
  const passwords = surroundings.passwords ?? argon2Passwords()
  const audit = auditTo({ ids, clock })
  const propose = proposeWith({ clock, random, ids, audit })
  const deps: ResourceDeps = { db, clock, random, ids, audit, propose }

  const identify = identifyBy({ db, clock, tokens })
  const http = await createHttp({
    log,
    ids,
    trustedProxies: config.TRUSTED_PROXIES.split(/[\s,]+/).filter(Boolean),
    permitsPerMinute: config.RATE_LIMIT_PERMITS_PER_MINUTE,
    accountPermitsPerMinute: config.RATE_LIMIT_ACCOUNT_PERMITS_PER_MINUTE,
    identify,
    metrics,
    linkSchemes: linkSchemesOf(config),
    hasFastLane: surroundings.tracing === undefined && config.LOG_LEVEL !== 'debug',
  })
  await surroundings.tracing?.attach(http)
  measureRequests(http, metrics)
  const geoProfile = geoProfileApi({ ...deps, config, log, metrics })
  geoProfile.observeRequests(http)
  http.addHook('onClose', () => geoProfile.stop?.())

  let draining = false
  addHealth(http, surroundings, () => draining)
  await addPages(http, surroundings)
  metricsRoute(http, { registry: metrics, access: metricsAccess(config) })
  await mount(http, '/api/v1', (http) =>
    authRoutes(http, { ...deps, ...signIn(surroundings, tokens, passwords) }),
  )
  const assets = { storage: surroundings.storage, assetBytesMax: config.ASSET_BYTES_MAX }
  await mount(http, '/api/v1/admin', (http) => {
    accountRoutes(http, { ...deps, passwords })
    creativeRoutes(http, { ...deps, ...assets })
    addAdminRoutes(http, deps, surroundings)
  })
  await mount(http, '/api/v1', (http) => assetFileRoutes(http, { ...deps, ...assets }))
  await mount(http, '/api/v1', (http) => surroundings.serving?.addRoutes(http))
  await mount(http, '', (http) => tracking?.addRoutes(http))
  await mount(http, '/api/v1', (http) =>
    adsManagerRoutes(http, { ...deps, jobs: surroundings.jobs }),
  )
  await mount(http, '/api/v1', (http) =>
    reportRoutes(http, { ...deps, ...exportsOf(surroundings) }),
  )
  await mount(http, '/api/v1/internal', (http) => internalRoutes(http, deps))
  await mountRoutes(http, [geoProfile])
  await openQueueBoard(http, { config, log, jobs: surroundings.knownJobs ?? [], identify })
  await serveReference(http)
  return { http, drain: () => (draining = true) }
}

const exportsOf = ({ storage, jobs, exportDb }: Surroundings) => ({ storage, jobs, exportDb })

function addAdminRoutes(http: Http, deps: ResourceDeps, surroundings: Surroundings): void {
  const { config, db, tracking } = surroundings
  switchRoutes(http, { ...deps, switchDefinitions: SWITCHES })
  inventoryRoutes(http, { ...deps, whenSlotAppears: requestApprovalsOfSlot })
  campaignRoutes(http, { ...deps, events: campaignEvents(deps.ids) })
  proposalRoutes(http, { ...deps, proposable: [advertiser, campaign, banner] })
  frequencyRoutes(http, deps)
  contextualRoutes(http, {
    ...deps,
    ...contextualRouteDeps({
      ...surroundings,
      timers: systemTimers,
      liveUpdates: surroundings.liveUpdates,
    }),
    jobs: surroundings.jobs,
  })
  connectionRoutes(http, { ...deps, ...connectionDeps(surroundings) })
  pacerRoutes(http, { ...deps, getCampaign })
  learningRoutes(http, { ...deps, getCampaign })
  rescoreRoutes(http, { ...deps, ...RESCORE_KEYS, jobs: surroundings.jobs })
  jobRoutes(http, { ...deps, jobs: surroundings.jobs, knownJobs: surroundings.knownJobs ?? [] })
  nodeRoutes(http, { db, nodeId: surroundings.nodeId })
  settingRoutes(http, { config, givenSettings: surroundings.givenSettings ?? new Set() })
  webhookRoutes(http, {
    ...deps,
    secretBox: webhookSecretBox(surroundings),
    source: sourceOf(config),
  })
  noticeRoutes(http, { ...deps, secretBox: recipientSecretBox(surroundings) })
  surroundings.serving?.addAdminRoutes?.(http)
  tracking?.addAdminRoutes(http)
}

const signIn = (
  { config }: Surroundings,
  tokens: ReturnType<typeof createTokens>,
  passwords: Passwords,
) => ({
  tokens,
  passwords,
  signInsPerMinute: config.SIGN_IN_PERMITS_PER_MINUTE,
  refreshesPerMinute: config.RATE_LIMIT_PERMITS_PER_MINUTE,
  cookies: { isDemo: config.PLACARD_MODE === 'demo' },
  demo: demoSignIns(config),
})

/** Not ready while it drains, or while events could not be kept. */
function addHealth(
  http: Http,
  { db, serving, tracking }: Surroundings,
  isDraining: () => boolean,
): void {
  healthRoutes(http, {
    isReady: () => !isDraining() && tracking?.isReady() !== false,
    probes: {
      database: () => pingDatabase(db),
      ...serving?.probes,
      ...(tracking && { spool: async () => tracking.isReady() }),
    },
    facts: () => ({ ...(serving?.areCapsOff && { capsOff: serving.areCapsOff() }) }),
  })
}

/** What browsers load: the tag, the console, and in the demo the shop that shows the tag. */
async function addPages(http: Http, surroundings: Surroundings): Promise<void> {
  await tagRoutes(http)
  if (surroundings.config.PLACARD_MODE === 'demo') await composeShop(http, surroundings)
  await http.register((scoped) => serveWebApp(scoped, CONSOLE))
}

/** Where `scripts/build-pages.mjs` puts the console. */
const CONSOLE = path.join(import.meta.dirname, '../../../console/dist')

const getCampaign: PacerDeps['getCampaign'] = async (db, actor, publicId) =>
  (await getRow(db, campaign, { publicId, actor })) as unknown as KnownCampaign

const keyIn = (resource: Resource) => async (db: Database, actor: Actor, publicId: string) =>
  Number((await getRow(db, resource, { publicId, actor })).id)

const RESCORE_KEYS = {
  getCampaignKey: keyIn(campaign),
  getSiteKey: keyIn(site),
  getPlacementKey: keyIn(placement),
}

async function mount(http: Http, prefix: string, add: (http: Http) => void): Promise<void> {
  await http.register(async (scoped) => add(scoped as Http), { prefix })
}

/** Opens what webhook endpoints' secrets are sealed with. */
const webhookSecretBox = ({ secrets }: Pick<Surroundings, 'secrets'>): SecretBox =>
  openSecretBox(secrets.encryptionSecret, 'webhooks')

/** Opens what recipients' secrets are sealed with. */
const recipientSecretBox = ({ secrets }: Pick<Surroundings, 'secrets'>): SecretBox =>
  openSecretBox(secrets.encryptionSecret, 'recipients')

function tokenSettings({ config, secrets }: Surroundings): TokenSettings {
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
