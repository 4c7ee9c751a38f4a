import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Path of a request, without the query. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.split('?', 1)[0]!

/**
 * Adds `Location` to each 201 whose row can be read. A copy has the address of its original plus an
 * action, so we walk up the path until a route matches.
 */
export function tellLocations(http: FastifyInstance): void {
  let readable: ReadonlySet<string> | undefined
  http.addHook('onReady', async () => {
    const gets = http.routeTable.filter(({ method }) => method === 'GET')
    readable = new Set(gets.map(({ url }) => shapeOf(url)))
  })
  http.addHook('preSerialization', async (request, reply, payload) => {
    if (reply.statusCode !== 201 || reply.hasHeader('location')) return payload
    const id = idIn(payload)
    const location = id && addressOf(request, id, readable)
    if (location) void reply.header('location', location)
    return payload
  })
}

const shapeOf = (pattern: string) => pattern.replaceAll(/:[^/]+/g, ':')

const idIn = (payload: unknown): string | undefined => {
  const id = (payload as { readonly id?: unknown } | null)?.id
  return typeof id === 'string' ? id : undefined
}

function addressOf(request: FastifyRequest, id: string, readable: ReadonlySet<string> | undefined) {
  const pattern = (request.routeOptions.url ?? '').split('/')
  const path = pathOf(request).split('/')
  for (let length = path.length; length > 1; length--) {
    const shape = shapeOf([...pattern.slice(0, length), ':id'].join('/'))
    if (readable?.has(shape)) return [...path.slice(0, length), id].join('/')
  }
  return undefined
}
