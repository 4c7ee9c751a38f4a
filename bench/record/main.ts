import { systemLoad } from '../../apps/server/src/platform/background/load.ts'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { prepareAuctionDays } from '../../apps/server/src/capabilities/decisions/jobs.ts'
import { createRecorder } from '../../apps/server/src/capabilities/decisions/records/record-writer.ts'
import { recordsFrom } from '../../apps/server/src/capabilities/decisions/records/testing-records.ts'
import type {
  DecisionRecord,
  Recorder,
} from '../../apps/server/src/capabilities/decisions/records/recorder.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { connect } from '../../apps/server/src/platform/database/connect.ts'
import { startEmbedded } from '../../apps/server/src/platform/database/embedded.ts'
import { migrate, readMigrations } from '../../apps/server/src/platform/database/migrate.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'

const RECORDS = 20_000
const ROUNDS = 7
const MIGRATIONS = path.join(import.meta.dirname, '../../apps/server/migrations')

/** Durable auction records per second and connection, with their sums. */
async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-bench-record-'))
  const server = await startEmbedded({ folder, progress: () => {} })
  const connection = connect({ url: server.url, connectionsMax: 1, statementTimeoutMs: 30_000 })
  try {
    await migrate(connection.pool, await readMigrations(MIGRATIONS))
    const clock = systemClock()
    const { db } = connection
    await prepareAuctionDays({ db, clock })
    const recorder = createRecorder({
      load: systemLoad,
      db,
      clock,
      log: pino({ level: 'silent' }),
      metrics: new Registry(),
    })
    const aRecord = recordsFrom(idsFrom({ clock, random: systemRandom }))
    const { rows } = await connection.pool.query('select pg_backend_pid() as pid')
    const backend = await backendCpu(rows[0].pid)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const records = Array.from({ length: RECORDS }, (_, i) => sampleOf(aRecord, clock, i))
      rounds.push(await measure(records, recorder))
    }
    const postgresMicros = ((await backendCpu(rows[0].pid)) - backend) / (RECORDS * ROUNDS)
    console.log(
      JSON.stringify({
        recordsPerSecond: median(rounds, 'perSecond'),
        takenMicros: median(rounds, 'takenMicros'),
        cpuMicros: median(rounds, 'cpuMicros'),
        postgresMicros: Number(postgresMicros.toFixed(1)),
      }),
    )
  } finally {
    await connection.close()
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

const sampleOf = (
  aRecord: ReturnType<typeof recordsFrom>,
  clock: ReturnType<typeof systemClock>,
  i: number,
) =>
  aRecord({
    decidedAt: clock.now(),
    placementType: ['feed', 'story', 'banner'][i % 3]!,
    placementKey: i % 100,
    userKey: `user-key-of-22-${String(i % 5_000).padStart(8, '0')}`,
    context: {
      device: 'mobile',
      country: 'DE',
      language: 'de-at',
      referrerDomain: 'daily.example',
      segments: ['high-intent', 'shoes'],
    },
  })

interface Round {
  readonly perSecond: number
  /** Cost of one record on the decision's thread. */
  readonly takenMicros: number
  /** Total cost in this process. */
  readonly cpuMicros: number
}

async function measure(records: readonly DecisionRecord[], recorder: Recorder): Promise<Round> {
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  for (const record of records) recorder.record(record)
  const taken = process.cpuUsage(cpu)
  await recorder.flush()
  const seconds = (performance.now() - startedMs) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: RECORDS / seconds,
    takenMicros: (taken.user + taken.system) / RECORDS,
    cpuMicros: (user + system) / RECORDS,
  }
}

const TICK_MICROS = 10_000

/** Processor time of the PostgreSQL backend of our connection: independent of other load. */
async function backendCpu(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS
}

function median(rounds: readonly Round[], figure: keyof Round): number {
  const figures = rounds.map((round) => round[figure]).toSorted((a, b) => a - b)
  return Number(figures[figures.length >> 1]!.toFixed(1))
}

await main()
