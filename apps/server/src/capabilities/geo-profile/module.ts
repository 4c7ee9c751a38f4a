import { DAY_SECONDS } from '@placard/calendar'
import { httpTransport, ObservationPublisher, readObservation } from '@placard/client/observations'
import {
  endSession,
  findDeclaredCountry,
  syncDeclaredCountry,
  accountProblems,
  unblockSession,
} from '../accounts/index.ts'
import type { Config } from '../../settings/config.ts'
import { type GeoIpKeeper, keepGeoIp } from '../../platform/geo-ip/keeper.ts'
import type { Http } from '../../platform/http/server.ts'
import { bindJob, type Jobs } from '../../platform/jobs/job.ts'
import {
  backgroundWork,
  type CapabilityModule,
  type ProcessBase,
  routeGroup,
  warnOf,
} from '../../platform/module.ts'
import { Problem } from '../../platform/problem.ts'
import type { Actor, ResourceDeps } from '../../platform/resources/index.ts'
import { geoRoutes } from './admin/routes.ts'
import { ownCountryRoutes } from './declared/routes-own.ts'
import type { SessionService, UserService } from './guard/services.ts'
import { remoteSessionService, remoteUserService } from './guard/services-http.ts'
import { Intake } from './ingest/intake.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { startGeoWorker } from './ingest/worker.ts'
import { refreshGeoIpJob, reviewAgainJob, trimGeoProfileJob } from './jobs.ts'
import { measureGeoProfile, measurePublisher, observeGeoProfile, observeIntake } from './metrics.ts'
import { SUSPICION_PROFILES } from './profile/suspicion.ts'

export const GEO_PROFILE_JOBS = [trimGeoProfileJob, refreshGeoIpJob, reviewAgainJob]

export interface ServicesDeps extends ResourceDeps {
  readonly config: Pick<
    Config,
    'USER_SERVICE_URL' | 'USER_SERVICE_TOKEN' | 'SESSION_SERVICE_URL' | 'SESSION_SERVICE_TOKEN'
  >
}

/** The external services of the geo profile: the built-in accounts, or other systems by address. */
export function servicesOf({ config, ...deps }: ServicesDeps): Services {
  const { USER_SERVICE_URL, USER_SERVICE_TOKEN, SESSION_SERVICE_URL, SESSION_SERVICE_TOKEN } =
    config
  return {
    users:
      USER_SERVICE_URL && USER_SERVICE_TOKEN
        ? remoteUserService({ url: USER_SERVICE_URL, token: USER_SERVICE_TOKEN })
        : builtInUsers(deps),
    sessions:
      SESSION_SERVICE_URL && SESSION_SERVICE_TOKEN
        ? remoteSessionService({ url: SESSION_SERVICE_URL, token: SESSION_SERVICE_TOKEN })
        : builtInSessions(deps),
  }
}

export interface Services {
  readonly users: UserService
  readonly sessions: SessionService
}

const builtInUsers = (deps: ResourceDeps): UserService => ({
  findUser: (userId) => findDeclaredCountry(deps.db, userId),
  async syncDeclaredCountry({ userId: publicId, country }) {
    if (!(await findDeclaredCountry(deps.db, publicId))) return 'no-such-user'
    await deps.db.transaction((db) =>
      syncDeclaredCountry({ ...deps, db }, { publicId, actor: geoActor(deps), country }),
    )
    return 'synced'
  },
})

const builtInSessions = (deps: ResourceDeps): SessionService => ({
  blockSession: ({ deviceSessionId: publicId, reasonCode }) =>
    unlessMissing(deps, (within) =>
      endSession(within, { publicId, actor: geoActor(deps), how: 'block', reasonCode }),
    ),
  unblockSession: ({ deviceSessionId: publicId, reasonCode }) =>
    unlessMissing(deps, (within) =>
      unblockSession(within, { publicId, actor: geoActor(deps), reasonCode }),
    ),
})

/** A missing session needs no action. */
async function unlessMissing(
  deps: ResourceDeps,
  change: (within: ResourceDeps) => Promise<unknown>,
): Promise<void> {
  try {
    await deps.db.transaction((db) => change({ ...deps, db }))
  } catch (error) {
    const isMissing = error instanceof Problem && error.kind === accountProblems.sessionNotFound
    if (!isMissing) throw error
  }
}

/** The audit log names the geo profile as the actor of its own actions. */
const geoActor = ({ ids }: ResourceDeps): Actor => ({
  requestId: ids.next(),
  principal: {
    kind: 'key',
    id: '00000000-0000-7000-8000-0000000067e0',
    name: 'geo profile',
    accountId: 0n,
    isPlatform: true,
    permissions: new Set(['identity:read', 'identity:write']),
  },
})

export interface GeoProfileApiDeps extends Pick<
  ProcessBase,
  keyof ResourceDeps | 'log' | 'metrics'
> {
  readonly config: ServicesDeps['config'] & Pick<Config, 'GEO_PROFILE_URL' | 'GEO_PROFILE_TOKEN'>
}

/** Accepts observations, shows their results, and reports this API's own requests. */
export function geoProfileApi(deps: GeoProfileApiDeps): CapabilityModule {
  const { metrics, log } = deps
  const intake = new Intake({ ...deps, observer: observeIntake(metrics) })
  const publisher = publisherFor(deps, intake)
  measurePublisher(metrics, publisher.counts)
  const observer = observeGeoProfile(metrics, log)
  return {
    name: 'geo-profile',
    routes: [
      routeGroup('/api/v1/internal', geoRoutes, { ...deps, ...servicesOf(deps), observer }),
      routeGroup('/api/v1', ownCountryRoutes, { ...deps, ...servicesOf(deps), observer }),
      routeGroup('/internal/v1', ingestRoutes, { intake }),
    ],
    // Reports every request of a signed-in user to the geo profile.
    addHooks: (http) => publishRequests(http, publisher),
    stop: () => publisher.stop(),
  }
}

/** Our own requests take the same path with the same messages, without the network. */
function publisherFor({ config, clock }: GeoProfileApiDeps, intake: Intake): ObservationPublisher {
  const { GEO_PROFILE_URL, GEO_PROFILE_TOKEN } = config
  const now = () => clock.now().getTime()
  if (GEO_PROFILE_URL && GEO_PROFILE_TOKEN) {
    const transport = httpTransport({ url: GEO_PROFILE_URL, token: GEO_PROFILE_TOKEN })
    return new ObservationPublisher({ transport, now })
  }
  return new ObservationPublisher({
    now,
    concurrency: 100,
    async transport(message) {
      const note = readObservation(message)
      if (!note || (await intake.accept(note)) === 'refused') throw new Error('refused')
    },
  })
}

/** Runs after the reply, so it cannot affect the request. */
function publishRequests(http: Http, publisher: ObservationPublisher): void {
  http.addHook('onResponse', (request, _reply, done) => {
    const { principal } = request
    if (principal?.deviceSessionId !== undefined) {
      const { id: userId, deviceSessionId } = principal
      publisher.publish({ userId, deviceSessionId, ipAddress: request.ip })
    }
    done()
  })
}

export interface GeoProfileWorkerDeps extends ProcessBase {
  readonly config: ServicesDeps['config'] &
    Pick<
      Config,
      | 'GEOIP_PATH'
      | 'GEOIP_URL'
      | 'GEOIP_AGE_DAYS_MAX'
      | 'PLACARD_HOME'
      | 'GEO_PROFILE_SENSITIVITY'
      | 'GEO_PROFILE_BATCH_MAX'
      | 'GEO_OBSERVATION_RETENTION_DAYS'
      | 'PUBLIC_URL'
    >
  readonly jobs: Pick<Jobs, 'enqueue'>
}

/** Processes observations, and keeps the Geo-IP file up to date. */
export async function geoProfileWorker(deps: GeoProfileWorkerDeps): Promise<CapabilityModule> {
  const { config, db, clock, ids, log, metrics, jobs } = deps
  const onError = warnOf(deps, 'the geo profile worker failed')
  const geoIp = await keepGeoIp({
    file: config.GEOIP_PATH,
    url: config.GEOIP_URL,
    home: config.PLACARD_HOME,
    ageDaysMax: config.GEOIP_AGE_DAYS_MAX,
    clock,
    timers: deps.timers,
    onError,
  })
  measureGeoProfile(metrics, { ...deps, geoIp })
  const observer = observeGeoProfile(metrics, log)
  const { GEO_OBSERVATION_RETENTION_DAYS: observationRetentionDays, PUBLIC_URL: consoleUrl } =
    config
  const background = backgroundWork(async (running) => {
    const worker = startGeoWorker({
      ...deps,
      ...servicesOf(deps),
      countries: { countryOf: (address) => geoIp.countries.countryOf(address) },
      rule: SUSPICION_PROFILES[config.GEO_PROFILE_SENSITIVITY],
      observer,
      batchMax: config.GEO_PROFILE_BATCH_MAX,
      consoleUrl,
      onError,
    })
    running.defer(() => worker.stop())
    await jobs.enqueue(db, reviewAgainJob, { payload: {} })
  })
  return {
    name: 'geo-profile',
    jobs: [
      bindJob(trimGeoProfileJob, { db, clock, observationRetentionDays }, '33 * * * *'),
      bindJob(refreshGeoIpJob, { geoIp }, '13 4 * * *'),
      bindJob(
        reviewAgainJob,
        { geoReview: { db, clock, ids, observer, consoleUrl } },
        '19 * * * *',
      ),
    ],
    probes: { geoIp: async () => geoIp.isFresh() },
    healthFacts: () => ({ geoIp: aboutGeoIp(geoIp) }),
    start: background.start,
    async stop() {
      await background.stop()
      geoIp.stop()
    },
  }
}

const aboutGeoIp = ({ countries, ageSeconds }: GeoIpKeeper) => ({
  builtAt: countries.builtAt.toISOString(),
  ageDays: Math.floor(ageSeconds() / DAY_SECONDS),
  isBundled: countries.isBundled,
})
