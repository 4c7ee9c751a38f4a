import { createConsentReader } from '../../apps/server/src/capabilities/consent/index.ts'
import { systemLoad } from '../../apps/server/src/platform/background/load.ts'
import { pino } from 'pino'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { createHttp } from '../../apps/server/src/platform/http/server.ts'
import { systemTimers } from '../../apps/server/src/platform/background/timers.ts'
import {
  createIngest,
  createSealer,
  createRequestLabeller,
  keepDataCentres,
  openIngestPool,
  openThreadedSettler,
  parseKeyRing,
  trackingRoutes,
} from '../../apps/server/src/capabilities/tracking/index.ts'
import { clock, ids } from './market.ts'

const MANY = [1e12, 1e12, 1e12, 1e12] as const
const dataCentres = await keepDataCentres({ file: undefined, timers: systemTimers, onError() {} })

/** The tracking routes of one node with a real database: the target of the load. */
const [port = '0', url = '', keys = ''] = process.argv.slice(2)
const http = await createHttp({
  log: pino({ level: 'silent' }),
  ids,
  trustedProxies: [],
  permitsPerMinute: 1_000_000,
  hasFastLane: true,
  identify: async () => undefined,
})
const pool = openIngestPool(url, 4)
const settler = openThreadedSettler({ pool, url, node: 'bench', connectionsMax: 4, clock })
await http.register(async (routes) =>
  trackingRoutes(routes as typeof http, {
    clock,
    sealer: createSealer(parseKeyRing(keys), systemRandom),
    readConsent: createConsentReader(),
    ingest: createIngest({ settler, timers: systemTimers, load: systemLoad }),
    labelRequest: createRequestLabeller({
      // The load comes from one address but stands for many readers, so rate limits are off.
      limits: { reader: MANY, device: MANY, address: MANY, site: MANY },
      isDataCentre: dataCentres.has,
      isBlockedSession: () => false,
    }),
    destinationOf: async () => undefined,
    findAuction: async () => ({ verdict: 'unknown' }),
    listStoredTimes: async () => new Map(),
    quarantine: async () => {},
  }),
)
await http.listen({ port: Number(port), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
