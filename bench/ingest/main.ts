import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { measureAcknowledged } from './acknowledged.ts'
import { startMarket } from './market.ts'
import { measureDepth, measureSettled } from './settled.ts'

/**
 * How fast events are acknowledged and settled, money and all, each against a baseline in turns.
 * `--deep` also fills a day with 20 million rows, which takes long; `--only=ack` and `--only=settled`
 * measure a part.
 */
const say = (text: string) => process.stderr.write(`${text}\n`)

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7)
const isWanted = (part: string) => only === undefined || only === part

const market = await startMarket()
try {
  const settled = isWanted('settled') ? await measureSettled(market.url, say) : {}
  await comeToRest()
  const acknowledged = isWanted('ack') ? await measureAcknowledged(market, say) : {}
  const deep = process.argv.includes('--deep')
    ? await measureDepth(market.url, market.pool, say)
    : {}
  const reservation = isWanted('reservation') ? measureReservation() : {}
  console.log(JSON.stringify({ ...acknowledged, ...settled, ...deep, ...reservation }))
} finally {
  await market.stop()
}

/** What one part leaves to be cleaned and written to disk does not count against the next. */
async function comeToRest(): Promise<void> {
  await market.pool.query('vacuum analyze')
  await market.pool.query('checkpoint')
}

/** What reserving adds to a decision, in a process of its own; with 10,000 campaigns. */
function measureReservation(): object {
  const program = path.join(import.meta.dirname, '../live/main.ts')
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', program, '10000', '10000'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { reservationMicros } = JSON.parse(stdout) as { reservationMicros: number }
  return { reservationMicros: Math.round(reservationMicros * 1_000) / 1_000 }
}
