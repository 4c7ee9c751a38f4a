import { parseArgs } from 'node:util'
import { type Policy, runWeek } from './run.ts'
import { CAMPAIGNS, DAY_SECONDS, DAYS, PAGES } from './world.ts'

const share = (ratio: number) => Number(ratio.toFixed(3))

/** A simulated week of one site with our choice, a random choice, and the highest bid; `--seed N`. */
export async function simulateContextual(): Promise<object> {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '11' } },
    allowPositionals: true,
  })
  const seed = Number(values.seed)
  const run = (policy: Policy) => {
    console.error(`${PAGES} pages, ${CAMPAIGNS} campaigns, ${DAYS} days: ${policy}`)
    return runWeek(seed, policy)
  }
  const ours = run('thompson')
  const random = run('random')
  const topBid = run('top-bid')
  return {
    pages: PAGES,
    campaigns: CAMPAIGNS,
    days: DAYS,
    daySeconds: DAY_SECONDS,
    seed,
    budgetsUsed: share(ours.budgetsUsed),
    over: ours.over,
    blackout: share(ours.blackout),
    revenueOverRandom: share(ours.revenue / random.revenue),
    clicksOverRandom: share(ours.clicks / random.clicks),
    revenueOverTopBid: share(ours.revenue / topBid.revenue),
    clicksOverTopBid: share(ours.clicks / topBid.clicks),
    ours,
    random,
    topBid,
  }
}
