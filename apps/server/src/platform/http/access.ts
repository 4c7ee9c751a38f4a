import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import type { Access, Principal } from './principal.ts'
import { httpProblems } from './problems.ts'

/** Finds out who sends a request; undefined when it carries no credential. Throws for a bad one. */
export type Identify = (request: FastifyRequest) => Promise<Principal | undefined>

/** Who calls is known before the rate limit, which counts per caller. */
export function identifyCallers(http: FastifyInstance, identify: Identify): void {
  http.decorateRequest('principal', undefined)
  const remembered = rememberCallers(identify)
  http.addHook('onRequest', (request, _reply, done) => {
    const { access, knowsCallers } = request.routeOptions.config
    if (access === 'public' && !(knowsCallers && sendsCredential(request))) return done()
    return identifyCaller(request, access === 'public' ? remembered : identify)
  })
}

async function identifyCaller(request: FastifyRequest, identify: Identify): Promise<void> {
  request.principal = await identify(request)
}

const sendsCredential = ({ headers }: FastifyRequest) =>
  headers['x-api-key'] !== undefined || headers.authorization !== undefined

const REMEMBERED = { max: 1_000, ttl: 5_000 }

/** Public routes are too hot to ask the database each time: a credential is believed for seconds. */
function rememberCallers(identify: Identify): Identify {
  const callers = new LRUCache<string, Principal>(REMEMBERED)
  return async (request) => {
    const { headers } = request
    const credential = `${String(headers['x-api-key'])} ${String(headers.authorization)}`
    const known = callers.get(credential)
    if (known !== undefined) return known
    const principal = await identify(request)
    if (principal !== undefined) callers.set(credential, principal)
    return principal
  }
}

/** Where a library serves the readable reference; its routes cannot say it themselves. */
export const REFERENCE_PREFIX = '/docs'

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
}

/** Closed unless opened: a route that does not say who may call it cannot be registered. */
export function guardRoutes(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    const { method, url, config } = route
    if (url.startsWith(REFERENCE_PREFIX)) route.config = { ...config, access: 'public' }
    else if (!config?.access)
      throw new Error(`${String(method)} ${url} does not say who may call it`)
  })
  http.addHook('onRequest', ({ principal, routeOptions }, _reply, done) => {
    const access = routeOptions.config.access ?? 'public'
    if (access === 'public') return done()
    if (!principal) {
      throw new Problem(
        httpProblems.unauthenticated,
        'Send "Authorization: Bearer <access token>" or "X-Api-Key: <key>".',
      )
    }
    if (access !== 'signed-in' && !principal.permissions.has(access)) {
      throw new Problem(httpProblems.forbidden, `This needs the permission ${access}.`)
    }
    done()
  })
}

/** The caller of a route that is not public. */
export function callerOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('a route without a caller asked for its caller')
  return request.principal
}
