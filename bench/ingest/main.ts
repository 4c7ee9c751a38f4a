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
  const acknowledged = isWanted('ack') ? await measureAcknowledged(market, say) : {}
  const deep = process.argv.includes('--deep')
    ? await measureDepth(market.url, market.pool, say)
    : {}
  console.log(JSON.stringify({ ...acknowledged, ...settled, ...deep }))
} finally {
  await market.stop()
}
