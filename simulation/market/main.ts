import { parseArgs } from 'node:util'
import { type Arm, type DayPlan, type Had, Market } from './market.ts'
import { hasShapes, readShapes } from './shapes.ts'
import { buildWorld, CAMPAIGNS, type World } from './world.ts'

const REQUESTS_PER_DAY = 40_000
/** Days on which agents only look; then days that count. */
const WARM_UP_DAYS = 5
const TEST_DAYS = 2
/** Of each seed, campaigns that are switched on alone. */
const ALONE = 4

const OFF: Arm = { learnsClicks: false, agents: new Set() }
const ALL = new Set(Array.from({ length: CAMPAIGNS }, (_, at) => at + 1))

/** A week of a made-up market, with learning off and on; the median of five seeds counts. */
export async function simulateMarket(): Promise<object> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      data: { type: 'string', default: '../shared/data' },
      seeds: { type: 'string', default: '1,2,3,4,5' },
    },
  })
  if (!hasShapes(values.data)) {
    console.error(`There is no traffic-shape in ${values.data}: a made-up day is used (--data DIR)`)
  }
  const seeds = values.seeds.split(',').map(Number)
  const worlds = seeds.map((seed) => {
    console.error(`A market of ${CAMPAIGNS} campaigns, seed ${seed}`)
    const shapes = readShapes(values.data, seed * 11)
    return compare(buildWorld({ seed, shapes, requestsPerDay: REQUESTS_PER_DAY }))
  })
  const middle = (figure: (one: Compared) => number) => rounded(median(worlds.map(figure)))
  const alone = worlds.flatMap((one) => one.alone)
  return {
    campaigns: CAMPAIGNS,
    days: TEST_DAYS,
    valueGain: middle(({ valueGain }) => valueGain),
    valuePerSpendGain: middle(({ perSpendGain }) => perSpendGain),
    spendRatio: middle(({ spendRatio }) => spendRatio),
    aloneWorst: rounded(Math.min(...alone)),
    aloneMedian: rounded(median(alone)),
    allOnWorst: rounded(Math.min(...worlds.map(({ worst }) => worst))),
    allOnLosers: rounded(worlds.reduce((sum, { losers }) => sum + losers, 0) / worlds.length),
    bySeed: Object.fromEntries(seeds.map((seed, at) => [seed, worlds[at]])),
  }
}

interface Compared {
  readonly valueGain: number
  readonly perSpendGain: number
  readonly spendRatio: number
  /** The lowest gain of a campaign when all are on, and the share of those below -10 %. */
  readonly worst: number
  readonly losers: number
  readonly alone: readonly number[]
}

function compare(world: World): Compared {
  const off = liveThrough(world, OFF)
  const on = liveThrough(world, { learnsClicks: true, agents: ALL })
  const alone = Array.from({ length: ALONE }, (_, at) => {
    const key = ((world.seed * 37 + at * 53) % CAMPAIGNS) + 1
    const market = new Market(world, new Map([...off.past].map(([id, days]) => [id, [...days]])))
    const had = testDays(market, { learnsClicks: false, agents: new Set([key]) })
    return gainOf(off.had.get(key)!, had.get(key)!)
  })
  const [before, after] = [sumUp([...off.had.values()]), sumUp([...on.had.values()])]
  const gains = world.campaigns
    .filter(({ key }) => off.had.get(key)!.value > 0)
    .map(({ key }) => gainOf(off.had.get(key)!, on.had.get(key)!))
  return {
    valueGain: rounded(gainOf(before, after)),
    perSpendGain: rounded(
      gainOf({ ...before, value: perSpend(before) }, { ...after, value: perSpend(after) }),
    ),
    spendRatio: rounded(after.spendMicros / before.spendMicros),
    worst: rounded(Math.min(...gains)),
    losers: rounded(gains.filter((gain) => gain < -0.1).length / gains.length),
    alone: alone.map(rounded),
  }
}

const gainOf = (before: Had, after: Had): number => after.value / before.value - 1
const perSpend = ({ value, spendMicros }: Had): number => value / spendMicros

function liveThrough(world: World, arm: Arm) {
  const market = new Market(world)
  const looking = { ...arm, agents: new Set<number>() }
  for (let day = 0; day < WARM_UP_DAYS; day++) {
    market.live({ day, requests: REQUESTS_PER_DAY }, looking)
  }
  const past = new Map([...market.past].map(([key, days]) => [key, [...days]]))
  return { past, had: testDays(market, arm) }
}

const OUTAGE = { from: 40, to: 48 }

/** The second of them has two hours without traffic. */
function testDays(market: Market, arm: Arm): ReadonlyMap<number, Had> {
  const days = Array.from({ length: TEST_DAYS }, (_, at) => {
    const plan: DayPlan = { day: WARM_UP_DAYS + at, requests: REQUESTS_PER_DAY }
    return market.live(at === 1 ? { ...plan, outage: OUTAGE } : plan, arm)
  })
  return new Map([...days[0]!.keys()].map((key) => [key, sumUp(days.map((day) => day.get(key)!))]))
}

const sumUp = (parts: readonly Had[]): Had =>
  parts.reduce(
    (sum, { value, spendMicros }) => ({
      value: sum.value + value,
      spendMicros: sum.spendMicros + spendMicros,
    }),
    { value: 0, spendMicros: 0 },
  )

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
