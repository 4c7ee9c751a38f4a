import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import type { Access, Principal } from './principal.ts'
import { httpProblems } from './problems.ts'

type Introduced = Pick<FastifyRequest, 'headers'>

/** Identifies the caller; undefined without a credential. Throws for a bad one. */
export type Identify = (request: Introduced) => Promise<Principal | undefined>

/** Runs before the rate limit, which counts per caller and also counts bad credentials. */
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

/** A public route needs no credential, but one that is sent must be valid. */
async function identifyGuest(request: FastifyRequest, identify: Identify): Promise<void> {
  request.principal = await identify(request)
}

/** Where clients put an API key; those of other ad servers bring their own names. */
const KEY_HEADERS = ['x-api-key', 'x-adzerk-apikey', 'x-kevel-apikey'] as const

/** How every API key begins. */
export const KEY_START = 'plk_'

/** The API key of a request, wherever its client puts it. */
export function keyIn({ headers }: Introduced): string | undefined {
  for (const name of KEY_HEADERS) {
    const key = headers[name]
    if (typeof key === 'string') return key
  }
  const bearer = bearerIn({ headers })
  return bearer?.startsWith(KEY_START) ? bearer : undefined
}

export const bearerIn = ({ headers }: Introduced): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]

export function sendsCredential({ headers }: Introduced): boolean {
  return (
    headers.authorization !== undefined || KEY_HEADERS.some((name) => headers[name] !== undefined)
  )
}

const REMEMBERED = { max: 1_000, ttl: 5_000 }

export interface RememberedCallers {
  find(request: Introduced): Principal | undefined
  readonly identify: Identify
}

/** For routes too hot to ask the database each time: a credential is trusted for a few seconds. */
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
  `${KEY_HEADERS.map((name) => String(headers[name])).join(' ')} ${String(headers.authorization)}`

/** Pages of the API reference. */
export const REFERENCE_PREFIX = '/docs'

/** Pages of Bull Board. */
export const BOARD_PREFIX = '/queue-board'
export const BOARD_ACCESS = 'operations:read'

export interface KnownRoute {
  readonly method: string
  readonly url: string
  readonly access: Access
  /** Not part of the API description: documents, metrics. */
  readonly isHidden: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every registered route: what the access tests walk. */
    readonly routeTable: KnownRoute[]
  }
  interface FastifyRequest {
    /** Why the credential sent is not valid. */
    refusal: Problem | undefined
  }
}

/** Closed unless opened: a route without `access` cannot be registered. */
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
    const { crossOrigin } = route.config
    if (crossOrigin && route.method !== 'OPTIONS') addPreflight(http, route.url, crossOrigin)
  })
}

function accessOfLibrary({ method, url }: RouteOptions): Access | undefined {
  if (url.startsWith(BOARD_PREFIX)) return BOARD_ACCESS
  const isPreflight = method === 'OPTIONS' && url === '*'
  return isPreflight ? 'public' : undefined
}

/** The preflight gets a route of its own, so that CORS is judged for the route it asks about. */
function addPreflight(
  http: FastifyInstance,
  url: string,
  crossOrigin: NonNullable<FastifyContextConfig['crossOrigin']>,
): void {
  if (http.hasRoute({ method: 'OPTIONS', url })) return
  http.options(
    url,
    { config: { access: 'public', crossOrigin }, schema: { hide: true } },
    (_request, reply) => reply.code(204).send(),
  )
}

/** Checks access on every route that is not public. Added per route, to run after the rate limit. */
export function guardRoutes(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    if (route.config?.access === 'public') return
    route.onRequest = [route.onRequest ?? []].flat().concat(refuseStrangers)
  })
}

async function refuseStrangers({ principal, refusal, routeOptions }: FastifyRequest) {
  const { access, isOpenWithoutFactor = false } = routeOptions.config
  if (refusal) throw refusal
  if (!principal) {
    throw new Problem(
      httpProblems.unauthenticated,
      'Send "Authorization: Bearer <access token>" or "X-Api-Key: <key>".',
    )
  }
  if (principal.mustSetUpFactor && !isOpenWithoutFactor) {
    throw new Problem(httpProblems.factorSetUpNeeded, 'Set one up under /api/v1/me/factors.')
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
