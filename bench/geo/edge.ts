import { ObservationPublisher, type Transport } from '@placard/client/observations'
import fastify, { type FastifyInstance } from 'fastify'
import { median, rounded } from '../scratch.ts'

const REQUESTS = 2_000
const WINDOWS = 9

const NEIGHBOURS: Readonly<Record<string, Transport>> = {
  slow: () => new Promise(() => {}),
  failing: () => Promise.reject(new Error('refused')),
  broken: () => {
    throw new Error('no such host')
  },
}

/** What a request costs beside a geo profile that is slow, fails or cannot be reached, in times of one without any; in turns. */
export async function measureEdge(): Promise<{ edgeRatio: Record<string, number> }> {
  const absent = serverWith(undefined)
  const edgeRatio: Record<string, number> = {}
  for (const [name, transport] of Object.entries(NEIGHBOURS)) {
    const server = serverWith(transport)
    const ratios: number[] = []
    for (let window = 0; window <= WINDOWS; window++) {
      const alone = await microsOf(absent)
      const beside = await microsOf(server)
      if (window > 0) ratios.push(beside / alone)
    }
    edgeRatio[name] = rounded(median(ratios), 2)
  }
  return { edgeRatio }
}

function serverWith(transport: Transport | undefined): FastifyInstance {
  const publisher =
    transport && new ObservationPublisher({ now: () => performance.now(), transport })
  let requests = 0
  const http = fastify()
  http.addHook('onResponse', (request, _reply, done) => {
    const deviceSessionId = `session-${requests++}`
    publisher?.publish({ userId: 'user-1', deviceSessionId, ipAddress: request.ip })
    done()
  })
  http.get('/', () => ({ fine: true }))
  return http
}

async function microsOf(http: FastifyInstance): Promise<number> {
  const begun = process.cpuUsage()
  for (let i = 0; i < REQUESTS; i++) await http.inject('/')
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / REQUESTS
}
