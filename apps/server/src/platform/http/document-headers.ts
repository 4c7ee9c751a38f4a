import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'

/**
 * What browsers are told about documents of ours: how to be strict with them. Helmet knows best what
 * that is, and it is the same for every document, so it is asked once and not per request.
 */
export async function protectDocuments(http: FastifyInstance): Promise<void> {
  const headers = await helmetHeaders()
  http.addHook('onRequest', (request, reply, done) => {
    // What pages of other origins fetch is no document, nor is what only machines send.
    const { crossOrigin, isForMachines } = request.routeOptions.config
    if (crossOrigin !== true && isForMachines !== true) void reply.headers(headers)
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
