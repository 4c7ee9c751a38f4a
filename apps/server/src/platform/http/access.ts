import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import type { Access, Principal } from './principal.ts'
import { httpProblems } from './problems.ts'

type Introduced = Pick<FastifyRequest, 'headers'>

/** Finds out who sends a request; undefined when it carries no credential. Throws for a bad one. */
export type Identify = (request: Introduced) => Promise<Principal | undefined>

/** Who calls is known before the rate limit: it counts per caller, and bad credentials too. */
export function identifyCallers(
  http: FastifyInstance,
  identify: Identify,
  remembered: RememberedCallers,
): void {
  http.decorateRequest('principal', undefined)
  http.decorateRequest('refusal', undefined)
  http.addHook('onRequest', (request, _reply, done) => {
    const { access, knowsCallers, remembersCaller } = request.routeOptions.config
    const isPublic = access === undefined || access === 'public'
    if (isPublic && !(knowsCallers && sendsCredential(request))) return done()
    if (isPublic) return identifyGuest(request, remembered.identify)
    if (!remembersCaller) return identifyCaller(request, identify)
    request.principal = remembered.find(request)
    return request.principal ? done() : identifyCaller(request, remembered.identify)
  })
}

async function identifyCaller(request: FastifyRequest, identify: Identify): Promise<void> {
  try {
    request.principal = await identify(request)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    request.refusal = error
  }
}

/** Nobody has to say who they are on a public route; who does must be right. */
async function identifyGuest(request: FastifyRequest, identify: Identify): Promise<void> {
  request.principal = await identify(request)
}

const sendsCredential = ({ headers }: FastifyRequest) =>
  headers['x-api-key'] !== undefined || headers.authorization !== undefined

const REMEMBERED = { max: 1_000, ttl: 5_000 }

export interface RememberedCallers {
  find(request: Introduced): Principal | undefined
  readonly identify: Identify
}

/** Some routes are too hot to ask the database each time: a credential is believed for seconds. */
export function rememberCallers(identify: Identify): RememberedCallers {
  const callers = new LRUCache<string, Principal>(REMEMBERED)
  const find = (request: Introduced) => callers.get(credentialOf(request))
  return {
    find,
    async identify(request) {
      const known = find(request)
      if (known !== undefined) return known
      const principal = await identify(request)
      if (principal !== undefined) callers.set(credentialOf(request), principal)
      return principal
    },
  }
}

const credentialOf = ({ headers }: Introduced) =>
  `${String(headers['x-api-key'])} ${String(headers.authorization)}`

/** Where people read about the API. */
export const REFERENCE_PREFIX = '/docs'

/** Where a library shows the queues. */
export const BOARD_PREFIX = '/queue-board'
export const BOARD_ACCESS = 'operations:read'

export interface KnownRoute {
  readonly method: string
  readonly url: string
  readonly access: Access
  /** Not in the API description: documents, metrics. */
  readonly isHidden: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, as registered: what the access tests walk. */
    readonly routeTable: KnownRoute[]
  }
  interface FastifyRequest {
    /** Why the credential that came along is no good. */
    refusal: Problem | undefined
  }
}

/** Closed unless opened: a route that does not say who may call it cannot be registered. */
export function tableRoutes(http: FastifyInstance): void {
  const routeTable: KnownRoute[] = []
  http.decorate('routeTable', routeTable)
  http.addHook('onRoute', (route) => {
    const access = route.config?.access ?? accessOfLibrary(route)
    if (!access)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
    route.config = { ...route.config, access }

    const isHidden = route.schema?.hide === true
    for (const method of [route.method].flat()) {
      routeTable.push({ method, url: route.url, access, isHidden })
    }
    if (route.config.crossOrigin && route.method !== 'OPTIONS') addPreflight(http, route.url)
  })
}

function accessOfLibrary({ method, url }: RouteOptions): Access | undefined {
  if (url.startsWith(BOARD_PREFIX)) return BOARD_ACCESS
  const isPreflight = method === 'OPTIONS' && url === '*'
  return isPreflight ? 'public' : undefined
}

/** A browser asks first: the question has a route, so that the answer is that of the route it is about. */
function addPreflight(http: FastifyInstance, url: string): void {
  if (http.hasRoute({ method: 'OPTIONS', url })) return
  http.options(
    url,
    { config: { access: 'public', crossOrigin: true }, schema: { hide: true } },
    (_request, reply) => reply.code(204).send(),
  )
}

/** Asks on every route that is not public; added to each route, so that it comes after the rate limit. */
export function guardRoutes(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    if (route.config?.access === 'public') return
    route.onRequest = [route.onRequest ?? []].flat().concat(refuseStrangers)
  })
}

async function refuseStrangers({ principal, refusal, routeOptions }: FastifyRequest) {
  const { access } = routeOptions.config
  if (refusal) throw refusal
  if (!principal) {
    throw new Problem(
      httpProblems.unauthenticated,
      'Send "Authorization: Bearer <access token>" or "X-Api-Key: <key>".',
    )
  }
  if (access !== 'signed-in' && !principal.permissions.has(String(access))) {
    throw new Problem(httpProblems.forbidden, `This needs the permission ${String(access)}.`)
  }
}

/** The caller of a route that is not public. */
export function callerOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('a route without a caller asked for its caller')
  return request.principal
}
