import { type Arm, type Had, Market } from './market.ts'
import { CAMPAIGNS, type World } from './world.ts'

const OFF: Arm = { learnsClicks: false, agents: new Set() }
const ALL = new Set(Array.from({ length: CAMPAIGNS }, (_, at) => at + 1))

export interface Compared {
  readonly valueGain: number
  readonly perSpendGain: number
  readonly spendRatio: number
  /** The lowest gain of a campaign when all have agents, and the share of campaigns below -10 %. */
  readonly worst: number
  readonly losers: number
  readonly alone: readonly number[]
  /** 1 - value / value in hindsight, with the other campaigns' actual bids. */
  readonly regretOff: number
  readonly regretOn: number
}

/** Size of the simulated market. The reported figures are for size 1. */
export interface MarketSize {
  readonly requestsPerDay: number
  /** Days on which agents only observe, then days that count. */
  readonly warmUpDays: number
  readonly testDays: number
  /** Campaigns that get an agent alone. */
  readonly alone: number
}

/** A week of a synthetic market with agents for no campaign, for all, and for single campaigns. */
export function compareMarket(world: World, size: MarketSize): Compared {
  const off = liveThrough(world, OFF, size)
  const on = liveThrough(world, { learnsClicks: true, agents: ALL }, size)
  const alone = Array.from({ length: size.alone }, (_, at) => {
    const key = ((world.seed * 37 + at * 53) % CAMPAIGNS) + 1
    const market = new Market(world, new Map([...off.past].map(([id, days]) => [id, [...days]])))
    const had = testDays(market, { learnsClicks: false, agents: new Set([key]) }, size)
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
    regretOff: rounded(regretOf(before)),
    regretOn: rounded(regretOf(after)),
  }
}

const gainOf = (before: Had, after: Had): number => after.value / before.value - 1
const regretOf = ({ value, best }: Had): number => 1 - value / best
const perSpend = ({ value, spendMicros }: Had): number => value / spendMicros

function liveThrough(world: World, arm: Arm, size: MarketSize) {
  const market = new Market(world)
  const looking = { ...arm, agents: new Set<number>() }
  for (let day = 0; day < size.warmUpDays; day++) {
    market.live({ day, requests: size.requestsPerDay }, looking)
  }
  const past = new Map([...market.past].map(([key, days]) => [key, [...days]]))
  return { past, had: testDays(market, arm, size) }
}

const OUTAGE = { from: 40, to: 48 }

/** The second day has two hours without traffic. */
function testDays(market: Market, arm: Arm, size: MarketSize): ReadonlyMap<number, Had> {
  const days = Array.from({ length: size.testDays }, (_, at) =>
    market.live(
      {
        day: size.warmUpDays + at,
        requests: size.requestsPerDay,
        outage: at === 1 ? OUTAGE : undefined,
        hasHindsight: arm.agents.size !== 1,
      },
      arm,
    ),
  )
  return new Map([...days[0]!.keys()].map((key) => [key, sumUp(days.map((day) => day.get(key)!))]))
}

export const sumUp = (parts: readonly Had[]): Had =>
  parts.reduce((sum, part) => ({
    value: sum.value + part.value,
    spendMicros: sum.spendMicros + part.spendMicros,
    purchases: sum.purchases + part.purchases,
    came: sum.came + part.came,
    predicted: sum.predicted + part.predicted,
    best: sum.best + part.best,
  }))

export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
