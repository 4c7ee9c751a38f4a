import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { measureAcknowledged } from './acknowledged.ts'
import { startMarket } from './market.ts'
import { measureDepth, measureSettled } from './settled.ts'

/**
 * Rates at which events are acknowledged and settled, including money, each alternating with a baseline.
 * `--deep` also fills a day with 20 million rows, which takes long. `--only=ack` and `--only=settled`
 * measure one part.
 */
const say = (text: string) => process.stderr.write(`${text}\n`)

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7)
const isWanted = (part: string) => only === undefined || only === part

const market = await startMarket()
try {
  const settled = isWanted('settled') ? await measureSettled(market.url, say) : {}
  await cleanUp()
  const acknowledged = isWanted('ack') ? await measureAcknowledged(market, say) : {}
  const deep = process.argv.includes('--deep')
    ? await measureDepth(market.url, market.pool, say)
    : {}
  const reservation = isWanted('reservation') ? measureReservation() : {}
  console.log(JSON.stringify({ ...acknowledged, ...settled, ...deep, ...reservation }))
} finally {
  await market.stop()
}

/** Cleans up and writes to disk after one part, so that it does not slow the next. */
async function cleanUp(): Promise<void> {
  await market.pool.query('vacuum analyze')
  await market.pool.query('checkpoint')
}

/** Cost that a reservation adds to a decision, in its own process, with 10,000 campaigns. */
function measureReservation(): object {
  const program = path.join(import.meta.dirname, '../live/main.ts')
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', program, '10000', '10000'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { reservationMicros } = JSON.parse(stdout) as { reservationMicros: number }
  return { reservationMicros: Math.round(reservationMicros * 1_000) / 1_000 }
}
