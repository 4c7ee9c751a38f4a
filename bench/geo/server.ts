import { pino } from 'pino'
import { Intake, ingestRoutes } from '../../apps/server/src/capabilities/geo-profile/index.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { connect } from '../../apps/server/src/platform/database/connect.ts'
import { createHttp } from '../../apps/server/src/platform/http/server.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'

/** The ingest of one node with a real database and an API key: the target of the load. */
const [port = '0', url = ''] = process.argv.slice(2)
const clock = systemClock()
const http = await createHttp({
  log: pino({ level: 'silent' }),
  ids: idsFrom({ clock, random: systemRandom }),
  trustedProxies: [],
  permitsPerMinute: 1_000_000,
  hasFastLane: true,
  identify: async () => ({
    kind: 'key',
    id: 'edge',
    name: 'edge',
    accountId: 1n,
    isPlatform: true,
    permissions: new Set(['observations:write']),
  }),
})
const { db } = connect({ url, connectionsMax: 2, statementTimeoutMs: 30_000 })
const observer = { kept: () => {}, refused: () => {} }
const intake = new Intake({ db, clock, observer })
await http.register(async (routes) => ingestRoutes(routes as typeof http, { intake }), {
  prefix: '/internal/v1',
})
await http.listen({ port: Number(port), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
