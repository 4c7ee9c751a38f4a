import { parseArgs } from 'node:util'
import { type ChaosLine, runChaos } from './run.ts'

/**
 * `npm run chaos`: real processes, a real PostgreSQL and a seeded load; kill -9 at random moments, then
 * compares the books with the client's log. Progress goes to stderr, the last line of stdout is JSON.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    nodes: { type: 'string', default: '1' },
    kills: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '3000' },
    decisions: { type: 'string', default: '150' },
    under: { type: 'string', default: '1000' },
    acknowledged: { type: 'string', default: '100000' },
    bounded: { type: 'boolean', default: false },
  },
})

const CLEAN: readonly (keyof ChaosLine)[] = [
  'lost',
  'double',
  'unexplained',
  'unsettled',
  'overspentMicros',
  'ledgerDifferenceMicros',
  'leakedReservations',
  'capsPassed',
  'uncounted',
  'strandedMicros',
  'cronMissed',
  'cronDouble',
]

const seed = Number(values.seed)
const say = (text: string) => process.stderr.write(`${text}\n`)
const replay = `npm run chaos -- --seed ${seed} --kills ${values.kills} --nodes ${values.nodes}${values.bounded ? ' --bounded' : ''}`
try {
  const line = await runChaos({
    seed,
    nodes: Number(values.nodes),
    kills: Number(values.kills),
    seconds: Number(values.seconds),
    eventsPerSecond: Number(values.rate),
    decisionsPerSecond: Number(values.decisions),
    underPerSecond: Number(values.under),
    acknowledged: Number(values.acknowledged),
    isBounded: values.bounded,
    say,
  })
  const faults = CLEAN.filter((key) => line[key] !== 0)
  if (line.plantedCaught !== 3) faults.push('plantedCaught')
  if (faults.length > 0) say(`Faults: ${faults.join(', ')}. Repeat with: ${replay}`)
  process.exitCode = faults.length > 0 ? 1 : 0
  process.stdout.write(`${JSON.stringify(line)}\n`)
} catch (error) {
  say(`${(error as Error).stack}\nRepeat with: ${replay}`)
  process.exitCode = 1
}
