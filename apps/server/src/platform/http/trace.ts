import type { FastifyInstance, FastifyRequest } from 'fastify'

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Each request has an id that the caller sees too, and one line in the log when it is done. */
export function traceRequests(http: FastifyInstance): void {
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  http.addHook('onResponse', async (request, reply) => {
    const level = request.routeOptions.config?.access === 'public' ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        traceId: traceIdOf(request),
        caller: request.principal?.id,
      },
      'request',
    )
  })
}

function traceIdOf({ headers }: FastifyRequest): string | undefined {
  const header = headers.traceparent
  return typeof header === 'string' ? TRACEPARENT.exec(header)?.[1] : undefined
}
