import { ObservationPublisher, type Transport } from '@placard/client/observations'
import { pino } from 'pino'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createHttp, type Http } from '../../apps/server/src/platform/http/server.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
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

/** Cost of a request with a geo profile that is slow, fails or is unreachable, relative to one without, in alternating windows. */
export async function measureEdge(): Promise<{ edgeRatio: Record<string, number> }> {
  const absent = await serverWith(undefined)
  const edgeRatio: Record<string, number> = {}
  for (const [name, transport] of Object.entries(NEIGHBOURS)) {
    const server = await serverWith(transport)
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

async function serverWith(transport: Transport | undefined): Promise<Http> {
  const publisher =
    transport && new ObservationPublisher({ now: () => performance.now(), transport })
  let requests = 0
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: idsFrom({ clock: systemClock(), random: systemRandom }),
    trustedProxies: [],
    permitsPerMinute: 1_000_000,
    identify: async () => undefined,
  })
  http.addHook('onResponse', (request, _reply, done) => {
    const deviceSessionId = `session-${requests++}`
    publisher?.publish({ userId: 'user-1', deviceSessionId, ipAddress: request.ip })
    done()
  })
  http.get('/', { config: { access: 'public' } }, () => ({ fine: true }))
  return http
}

async function microsOf(http: Http): Promise<number> {
  const begun = process.cpuUsage()
  for (let i = 0; i < REQUESTS; i++) await http.inject('/')
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / REQUESTS
}
