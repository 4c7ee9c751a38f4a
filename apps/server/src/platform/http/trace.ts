import type { FastifyInstance, FastifyRequest } from 'fastify'

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Gives each request an id, which the caller sees too, and one log line at its end. */
export function traceRequests(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    done()
  })
  http.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.config?.access === 'public' ? 'debug' : 'info'
    if (level === 'debug' && http.log.level !== 'debug') return done()
    request.log[level](
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        traceId: traceIdOf(request),
        caller: request.principal?.id,
      },
      'request',
    )
    done()
  })
}

function traceIdOf({ headers }: FastifyRequest): string | undefined {
  const header = headers.traceparent
  return typeof header === 'string' ? TRACEPARENT.exec(header)?.[1] : undefined
}
