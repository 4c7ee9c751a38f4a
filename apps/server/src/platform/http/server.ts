import cors, { type FastifyCorsOptions } from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { Counter, Registry } from 'prom-client'
import { type Clock, systemClock } from '../clock.ts'
import { HEX, type Ids } from '../ids.ts'
import { Problem } from '../problem.ts'
import {
  guardRoutes,
  identifyCallers,
  type Identify,
  rememberCallers,
  tableRoutes,
} from './access.ts'
import { trustIn, waysBehind } from './addresses.ts'
import { protectDocuments } from './document-headers.ts'
import type { Formats } from './format.ts'
import { FastLane, openFastLane } from './fast-lane/fast-lane.ts'
import { tellLocations } from './locations.ts'
import { describeApi } from './openapi.ts'
import { shedLoad } from './overload.ts'
import { httpProblems } from './problems.ts'
import { replyWithProblem } from './reply-with-problem.ts'
import { serializersOf } from './serialization.ts'
import { traceRequests } from './trace.ts'
import {
  KNOWN_FORMATS,
  refuseUnknownFields,
  type NoteUnknown,
  validateRequests,
} from './validation.ts'

export type Http = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export interface HttpOptions {
  readonly log: FastifyBaseLogger
  readonly ids: Ids
  readonly trustedProxies: readonly string[]
  readonly permitsPerMinute: number
  /** Limit for all callers of one account together; the platform's own are limited individually. */
  readonly accountPermitsPerMinute?: number | undefined
  readonly identify: Identify
  /** Registry for metrics of all routes. */
  readonly metrics?: Registry
  readonly clock?: Clock
  /** Whether hot routes bypass Fastify; off when requests are traced or logged. */
  readonly hasFastLane?: boolean
  /** Schemes that a click may lead to. */
  readonly linkSchemes?: ReadonlySet<string> | undefined
  /** Formats of ids that capabilities know. */
  readonly formats?: Formats | undefined
}

const BODY_BYTES_MAX = 1_048_576
const REQUEST_SECONDS = 30

/** A server with what all routes share; capabilities add their routes. */
export async function createHttp(options: HttpOptions): Promise<Http> {
  const { metrics = new Registry(), trustedProxies, log, clock = systemClock() } = options
  const trust = trustedProxies.length > 0 ? trustIn(trustedProxies) : undefined
  const idOf = requestIds(options.ids)
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: idOf,
    // A child logger per request costs more than a decision. The few lines we write name the id.
    childLoggerFactory: (log) => log,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_SECONDS * 1_000,
    connectionTimeout: REQUEST_SECONDS * 2_000,
    trustProxy: trust ?? false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => void replyWithProblem(error, request, reply),
    routerOptions: { maxParamLength: 288 },
    serializerOpts: { ajv: { formats: KNOWN_FORMATS } },
    schemaController: { compilersFactory: { buildSerializer: serializersOf(log) } },
  }).withTypeProvider<TypeBoxTypeProvider>()

  const compileBody = validateRequests(http, {
    noteUnknown: countUnknownFields(metrics),
    linkSchemes: options.linkSchemes,
    formats: options.formats,
  })
  refuseUnknownFields(http)
  const shedding = shedLoad(http, metrics)
  const callers = rememberCallers(options.identify)
  const waysOf = waysBehind(trust)
  const fastLane = options.hasFastLane
    ? new FastLane({ log, clock, shedding, compileBody, waysOf, idOf, callers })
    : undefined
  http.decorate('fastLane', fastLane)
  if (fastLane) openFastLane(http, fastLane)
  http.setErrorHandler(replyWithProblem)
  refuseUnknownRoutes(http)
  tableRoutes(http)
  traceRequests(http)
  await protectDocuments(http)
  await http.register(cors, { delegator: originRule })
  identifyCallers(http, options.identify, callers)
  sparePublicRoutes(http)
  await http.register(rateLimit, limitPerCaller(options.permitsPerMinute))
  limitPerAccount(http, options.accountPermitsPerMinute)
  guardRoutes(http)
  tellLocations(http)
  keepSecretsOutOfCaches(http)
  await describeApi(http)
  return http
}

const LAST_DIGITS = 4
const LASTS = 16 ** LAST_DIGITS

/** The caller's own id, or ours: a UUID with a counter in the low bits; the random part is redrawn when the counter wraps. */
function requestIds(ids: Ids): (request: { readonly headers: IncomingHttpHeaders }) => string {
  let start = ''
  let last = LASTS
  return ({ headers }) => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
    if (last === LASTS) {
      start = ids.next().slice(0, -LAST_DIGITS)
      last = 0
    }
    const id = start + HEX[last >>> 8]! + HEX[last & 0xff]!
    last++
    return id
  }
}

function refuseUnknownRoutes(http: Http): void {
  http.setNotFoundHandler((request) => {
    throw new Problem(httpProblems.routeNotFound, `${request.method} ${request.url.slice(0, 200)}`)
  })
}

/** Forbids caches to keep an answer with a token or key. */
function keepSecretsOutOfCaches(http: Http): void {
  http.addHook('onRoute', (route) => {
    if (!route.config?.answerIsSecret) return
    route.onRequest = [forbidCaches, ...[route.onRequest ?? []].flat()]
  })
}

function forbidCaches(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.header('cache-control', 'no-store')
  done()
}

/** Public routes skip the limit per caller unless they ask for it. */
function sparePublicRoutes(http: Http): void {
  http.addHook('onRoute', (route) => {
    const { config } = route
    if (config?.access === 'public') route.config = { rateLimit: false, ...config }
  })
}

/** Plain counters, because a release of tags may send such a field with every request. */
function countUnknownFields(registry: Registry): NoteUnknown {
  const counts = new Map<string, number>()
  const fields: Counter = new Counter({
    name: 'placard_unknown_fields_total',
    help: 'Fields of public requests that this node does not know',
    labelNames: ['route'],
    registers: [registry],
    collect() {
      for (const [route, count] of counts) fields.inc({ route }, count)
      counts.clear()
    },
  })
  return (route, count) => void counts.set(route, (counts.get(route) ?? 0) + count)
}

/** CORS is closed, except on routes that pages of other origins call. */
function originRule(
  request: FastifyRequest,
  done: (error: Error | null, options: FastifyCorsOptions) => void,
): void {
  const { crossOrigin = false } = request.routeOptions.config
  done(null, {
    origin: crossOrigin !== false,
    credentials: crossOrigin === 'with-credentials',
    maxAge: 86_400,
    strictPreflight: false,
  })
}

/** Several keys of one account share a limit. */
function limitPerAccount(http: Http, permitsPerMinute: number | undefined): void {
  if (permitsPerMinute === undefined) return
  const check = http.createRateLimit({
    max: permitsPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ principal }: FastifyRequest) => `account ${principal?.accountId}`,
  })
  http.addHook('onRequest', async (request, reply) => {
    const { principal, routeOptions } = request
    if (!principal || principal.isPlatform || routeOptions.config.access === 'public') return
    const verdict = await check(request)
    if (verdict.isAllowed || !verdict.isExceeded) return
    void reply.header('retry-after', String(verdict.ttlInSeconds))
    throw new Problem(
      httpProblems.tooManyRequests,
      `All callers of your account together may send ${permitsPerMinute} requests a minute.`,
    )
  })
}

function limitPerCaller(permitsPerMinute: number) {
  return {
    global: true,
    max: permitsPerMinute,
    timeWindow: 60_000,
    cache: 10_000,
    hook: 'onRequest' as const,
    keyGenerator: ({ principal, ip }: FastifyRequest) => principal?.id ?? ip,
    errorResponseBuilder: (_request: FastifyRequest, { after }: { after: string }) =>
      new Problem(httpProblems.tooManyRequests, `Try again in ${after}.`),
  }
}
