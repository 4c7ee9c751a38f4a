import { DAY_SECONDS } from '@placard/calendar'
import { httpTransport, ObservationPublisher, readObservation } from '@placard/client/observations'
import {
  auditTo,
  endSession,
  findDeclaredCountry,
  syncDeclaredCountry,
  accountProblems,
} from '../capabilities/accounts/index.ts'
import {
  type GeoObserver,
  geoRoutes,
  ingestRoutes,
  Intake,
  measureGeoProfile,
  measurePublisher,
  observeGeoProfile,
  observeIntake,
  remoteSessionService,
  remoteUserService,
  type SessionService,
  startGeoWorker,
  SUSPICION_PROFILES,
  type UserService,
} from '../capabilities/geo-profile/index.ts'
import type { Surroundings } from './api.ts'
import type { Config } from '../settings/config.ts'
import { type GeoIpKeeper, keepGeoIp } from '../platform/geo-ip/keeper.ts'
import type { Http } from '../platform/http/server.ts'
import { type Ids, idsFrom } from '../platform/ids.ts'
import { Problem } from '../platform/problem.ts'
import type { Actor, ResourceDeps } from '../platform/resources/index.ts'
import { systemTimers } from '../platform/background/timers.ts'

type GeoSurroundings = Pick<Surroundings, 'config' | 'db' | 'clock' | 'random' | 'log' | 'metrics'>

/** The neighbours of the geo profile: the built-in accounts, or services of others by their address. */
export function neighboursOf({
  config,
  ...surroundings
}: Pick<Surroundings, 'config' | 'db' | 'clock' | 'random'>): Neighbours {
  const { USER_SERVICE_URL, USER_SERVICE_TOKEN, SESSION_SERVICE_URL, SESSION_SERVICE_TOKEN } =
    config
  const ids = idsFrom(surroundings)
  const deps = { ...surroundings, ids, audit: auditTo({ ids, clock: surroundings.clock }) }
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

export interface Neighbours {
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
  async blockSession({ deviceSessionId: publicId, reasonCode }) {
    const end = { publicId, actor: geoActor(deps), how: 'block' as const, reasonCode }
    try {
      await deps.db.transaction((db) => endSession({ ...deps, db }, end))
    } catch (error) {
      const isGone = error instanceof Problem && error.kind === accountProblems.sessionNotFound
      if (!isGone) throw error
    }
  },
})

/** What the geo profile does stands in the audit log under its own name. */
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

/** Takes observations, shows what came of them, and tells of our own requests. */
export function addGeoProfile(http: Http, surroundings: GeoSurroundings): GeoProfileRoutes {
  const { config, metrics, log } = surroundings
  const intake = new Intake({ ...surroundings, observer: observeIntake(metrics) })
  const publisher = publisherFor(config, { ...surroundings, intake })
  measurePublisher(metrics, publisher.counts)
  publishRequests(http, publisher)
  http.addHook('onClose', () => publisher.stop())
  const ids = idsFrom(surroundings)
  const deps = {
    ...surroundings,
    ...neighboursOf(surroundings),
    ids,
    audit: auditTo({ ids, clock: surroundings.clock }),
    observer: observeGeoProfile(metrics, log) satisfies GeoObserver,
  }
  return {
    addIngest: (http) => ingestRoutes(http, { intake }),
    addInternal: (http) => geoRoutes(http, deps),
  }
}

export interface GeoProfileRoutes {
  /** Under `/internal/v1`. */
  addIngest(http: Http): void
  /** Under `/api/v1/internal`. */
  addInternal(http: Http): void
}

/** Our own requests take the way of everybody's: the same messages, only without the network. */
function publisherFor(
  { GEO_PROFILE_URL, GEO_PROFILE_TOKEN }: Config,
  { clock, intake }: Pick<GeoSurroundings, 'clock'> & { intake: Intake },
): ObservationPublisher {
  const now = () => clock.now().getTime()
  if (GEO_PROFILE_URL && GEO_PROFILE_TOKEN) {
    const transport = httpTransport({ url: GEO_PROFILE_URL, token: GEO_PROFILE_TOKEN })
    return new ObservationPublisher({ transport, now })
  }
  return new ObservationPublisher({
    now,
    lanes: 100,
    async transport(message) {
      const note = readObservation(message)
      if (!note || (await intake.accept(note)) === 'refused') throw new Error('refused')
    },
  })
}

/** After the reply: whatever becomes of it, the request is over. */
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

/** What health tells of the file in use. */
export const aboutGeoIp = ({ countries, ageSeconds }: GeoIpKeeper) => ({
  builtAt: countries.builtAt.toISOString(),
  ageDays: Math.floor(ageSeconds() / DAY_SECONDS),
  isBundled: countries.isBundled,
})

export interface GeoWork {
  readonly geoIp: GeoIpKeeper
  /** What asking everybody about the review rule needs. */
  readonly reviewDeps: Pick<GeoSurroundings, 'db' | 'clock'> & {
    readonly ids: Ids
    readonly observer: GeoObserver
  }
  stop(): Promise<void>
}

/** What a worker does for the geo profile. */
export async function composeGeoWorker(surroundings: GeoSurroundings): Promise<GeoWork> {
  const { config, log, metrics, clock } = surroundings
  const onError = (error: unknown) => log.warn({ err: error }, 'the geo profile could not go on')
  const timers = systemTimers
  const geoIp = await keepGeoIp({
    file: config.GEOIP_PATH,
    url: config.GEOIP_URL,
    home: config.PLACARD_HOME,
    ageDaysMax: config.GEOIP_AGE_DAYS_MAX,
    clock,
    timers,
    onError,
  })
  measureGeoProfile(metrics, { ...surroundings, geoIp })
  const observer = observeGeoProfile(metrics, log)
  const ids = idsFrom(surroundings)
  const worker = startGeoWorker({
    ...surroundings,
    ...neighboursOf(surroundings),
    ids,
    countries: { countryOf: (address) => geoIp.countries.countryOf(address) },
    rule: SUSPICION_PROFILES[config.GEO_PROFILE_SENSITIVITY],
    observer,
    batchMax: config.GEO_PROFILE_BATCH_MAX,
    timers,
    onError,
  })
  return {
    geoIp,
    reviewDeps: { db: surroundings.db, clock, ids, observer },
    async stop() {
      await worker.stop()
      geoIp.stop()
    },
  }
}
