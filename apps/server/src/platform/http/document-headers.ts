import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'

/**
 * Security headers of our documents, as Helmet sets them. They are the same for every document, so we
 * ask Helmet once and not per request.
 */
export async function protectDocuments(http: FastifyInstance): Promise<void> {
  const headers = await helmetHeaders()
  http.addHook('onRequest', (request, reply, done) => {
    // Responses that other origins fetch, or that only machines read, are no documents.
    const { crossOrigin, isForMachines } = request.routeOptions.config
    if (!crossOrigin && isForMachines !== true) void reply.headers(headers)
    done()
  })
}

async function helmetHeaders(): Promise<Record<string, string>> {
  const withHelmet = await headersOf((probe) =>
    probe.register(helmet, { contentSecurityPolicy: { useDefaults: true } }),
  )
  const without = await headersOf(async () => {})
  const own = Object.entries(withHelmet).filter(([name]) => !(name in without))
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]))
}

async function headersOf(prepare: (probe: FastifyInstance) => PromiseLike<unknown>) {
  const probe = fastify()
  await prepare(probe)
  probe.get('/', (_request, reply) => reply.send('ok'))
  const { headers } = await probe.inject('/')
  await probe.close()
  return headers
}
