import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Access } from '../http/principal.ts'
import { LightHistogram, type Series } from './light-histogram.ts'

/** The registry of the program's metrics; each capability adds its own. */
export function createMetrics(version: string): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'placard_' })
  new Gauge({
    name: 'placard_build_info',
    help: 'Which program runs',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1)
  return registry
}

const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Counts and times requests by route and status. Both are bounded: labels contain no ids. */
export function measureRequests(http: FastifyInstance, registry: Registry): void {
  const duration = new LightHistogram({
    name: 'placard_request_duration_seconds',
    help: 'Time from request to reply',
    labelNames: ['method', 'route', 'code'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })
  const known = new Map<string, Series>()
  const seriesOf = (method: string, route: string, status: number): Series => {
    const name = `${method} ${route} ${status}`
    let series = known.get(name)
    if (series === undefined) {
      series = duration.series(method, route, String(status))
      known.set(name, series)
    }
    return series
  }
  http.fastLane?.measureWith(seriesOf)
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    seriesOf(request.method, route, reply.statusCode).observe(reply.elapsedTime / 1_000)
    done()
  })
}

export function metricsRoute(
  http: FastifyInstance,
  { registry, access }: { registry: Registry; access: Access },
): void {
  http.get('/metrics', { config: { access }, schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
