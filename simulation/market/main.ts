import { parseArgs } from 'node:util'
import { compareMarket, type Compared, type MarketSize, rounded } from './compare.ts'
import { hasShapes, readShapes } from './shapes.ts'
import { compareTargets, type TargetsCompared, type TargetsSize } from './targets.ts'
import { buildWorld, CAMPAIGNS } from './world.ts'

const WHOLE: MarketSize = { requestsPerDay: 40_000, warmUpDays: 5, testDays: 2, alone: 4 }

const TARGETS = {
  requestsPerDay: 20_000,
  warmUpDays: 10,
  testDays: 5,
  campaigns: 20,
} satisfies TargetsSize
/** Fewer, so that each has purchases enough for its cost to be known. */
const TARGET_CAMPAIGNS = 50
const TARGET_SEEDS = 3

/** The result is the median of five seeds, of three for campaigns with a target cost per action. */
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
  const byTarget = seeds.slice(0, TARGET_SEEDS).map((seed) => {
    console.error(
      `A market of ${TARGET_CAMPAIGNS} campaigns, ${TARGETS.campaigns} with a target, seed ${seed}`,
    )
    const shapes = readShapes(values.data, seed * 11)
    const { requestsPerDay } = TARGETS
    const world = buildWorld({ seed, shapes, requestsPerDay, campaigns: TARGET_CAMPAIGNS })
    return compareTargets(world, TARGETS)
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
    targets: {
      campaigns: TARGETS.campaigns,
      days: TARGETS.testDays,
      ...mediansOf(byTarget),
    },
    targetsBySeed: Object.fromEntries(byTarget.map((one, at) => [seeds[at]!, one])),
    bySeed: Object.fromEntries(seeds.map((seed, at) => [seed, worlds[at]])),
  }
}

const mediansOf = (all: readonly TargetsCompared[]) =>
  Object.fromEntries(
    Object.keys(all[0]!).map((figure) => [
      figure,
      median(all.map((one) => one[figure as keyof TargetsCompared])),
    ]),
  )

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
