import { parseArgs } from 'node:util'
import { compareMarket, type Compared, type MarketSize, rounded } from './compare.ts'
import { hasShapes, readShapes } from './shapes.ts'
import { buildWorld, CAMPAIGNS } from './world.ts'

const WHOLE: MarketSize = { requestsPerDay: 40_000, warmUpDays: 5, testDays: 2, alone: 4 }

/** The result is the median of five seeds. */
export async function simulateMarket(): Promise<object> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      data: { type: 'string', default: '../shared/data' },
      seeds: { type: 'string', default: '1,2,3,4,5' },
    },
  })
  if (!hasShapes(values.data)) {
    console.error(`No traffic-shape in ${values.data}: using a synthetic day (--data DIR)`)
  }
  const seeds = values.seeds.split(',').map(Number)
  const worlds = seeds.map((seed) => {
    console.error(`A market of ${CAMPAIGNS} campaigns, seed ${seed}`)
    const shapes = readShapes(values.data, seed * 11)
    const world = buildWorld({ seed, shapes, requestsPerDay: WHOLE.requestsPerDay })
    return compareMarket(world, WHOLE)
  })
  const middle = (figure: (one: Compared) => number) => rounded(median(worlds.map(figure)))
  const alone = worlds.flatMap((one) => one.alone)
  return {
    campaigns: CAMPAIGNS,
    days: WHOLE.testDays,
    valueGain: middle(({ valueGain }) => valueGain),
    valuePerSpendGain: middle(({ perSpendGain }) => perSpendGain),
    spendRatio: middle(({ spendRatio }) => spendRatio),
    regretOff: middle(({ regretOff }) => regretOff),
    regretOn: middle(({ regretOn }) => regretOn),
    aloneWorst: rounded(Math.min(...alone)),
    aloneMedian: rounded(median(alone)),
    allOnWorst: middle(({ worst }) => worst),
    allOnWorstOfAll: rounded(Math.min(...worlds.map(({ worst }) => worst))),
    allOnLosers: rounded(worlds.reduce((sum, { losers }) => sum + losers, 0) / worlds.length),
    bySeed: Object.fromEntries(seeds.map((seed, at) => [seed, worlds[at]])),
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
