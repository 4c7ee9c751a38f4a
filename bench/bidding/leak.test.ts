import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Auctions,
  type Plan,
  type Policy,
  replayDay,
  replayEpisode,
  auctionsBetween,
  type WindowReport,
} from '../../packages/learning/src/index.ts'
import { madeUpRows, writeCampaign } from './campaign-files.ts'
import { DAY_POLICIES, type DayCase, dayCases, dqnWith } from './days.ts'
import { trainingDays, trainNetwork } from './dqn.ts'
import { episodePolicies } from './episodes.ts'
import { BID_MAX, type Campaign, loadCampaigns } from './split.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bidding-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Records every bid of a policy. */
class Noting implements Policy {
  readonly bids: number[] = []
  private readonly policy: Policy

  constructor(policy: Policy) {
    this.policy = policy
  }

  begin(plan: Plan): void {
    this.policy.begin(plan)
  }

  bid(pctr: number): number {
    const bid = this.policy.bid(pctr)
    this.bids.push(bid)
    return bid
  }

  observe(report: WindowReport): void {
    this.policy.observe(report)
  }
}

/** The same auctions up to `from`. After it, prices, rates and clicks are in reverse order. */
function withOtherFuture(rows: Auctions, from: number): Auctions {
  const price = rows.price.slice()
  const pctr = rows.pctr.slice()
  const click = rows.click.slice()
  price.subarray(from).reverse()
  pctr.subarray(from).reverse()
  click.subarray(from).reverse()
  return { ...rows, price, pctr, click }
}

const rows = madeUpRows(3_000, 1)
const days = [2, 3, 4].map((seed) => madeUpRows(1_500, seed))

function load(parts: { rows: Auctions; days: readonly Auctions[] }): Campaign {
  writeCampaign(folder, '7', parts)
  return loadCampaigns(folder, undefined)[0]!
}

const BUDGET = 2_000

const episodeBids = (campaign: Campaign) =>
  Object.entries(episodePolicies(campaign, BUDGET)).map(([name, policy]) => {
    const noting = new Noting(policy)
    replayEpisode(campaign.test.rows, noting, { budget: BUDGET, bidMax: BID_MAX })
    return [name, noting.bids] as const
  })

function dayBids({ day, budget, history }: DayCase, policy: Policy): number[] {
  const noting = new Noting(policy)
  replayDay(day, noting, { budget, bidMax: BID_MAX, traffic: history.traffic })
  return noting.bids
}

function allDayBids(parts: readonly Auctions[]) {
  const campaign = load({ rows, days: parts })
  const one = dayCases([campaign])[2]!
  const residual = trainNetwork(trainingDays([campaign]), { seed: 1, episodes: 24 }, () => {})
  const policies = { ...DAY_POLICIES, dqn: dqnWith(residual) }
  return Object.entries(policies).map(([name, make]) => [name, dayBids(one, make(one))] as const)
}

describe('the split', () => {
  test('the last third of the rows and of the days is the test', () => {
    const { history, test: judged } = load({ rows, days })

    expect([history.rows.count, judged.rows.count]).toEqual([2_000, 1_000])
    expect([history.days.length, judged.days.length]).toEqual([2, 1])
    expect([...judged.rows.price]).toEqual(Array.from(rows.price.slice(2_000)))
  })

  test('with a test folder, all rows of the first folder are history', () => {
    const other = path.join(folder, 'later')
    writeCampaign(folder, '7', { rows, days })
    writeCampaign(other, '7', { rows: madeUpRows(500, 9), days: [days[0]!] })

    const [campaign] = loadCampaigns(folder, other)

    expect([campaign!.history.rows.count, campaign!.test.rows.count]).toEqual([3_000, 500])
    expect([campaign!.history.days.length, campaign!.test.days.length]).toEqual([3, 1])
  })

  test('training totals and prices come from history alone', () => {
    const before = load({ rows, days }).training
    const after = load({ rows: withOtherFuture(rows, 2_000), days }).training
    const other = load({ rows: withOtherFuture(rows, 1_000), days }).training

    expect(after).toEqual(before)
    expect(other).not.toEqual(before)
  })
})

describe('a different future changes no earlier bid', () => {
  const seen = 400

  test('in episodes', () => {
    const first = episodeBids(load({ rows, days }))
    const second = episodeBids(load({ rows: withOtherFuture(rows, 2_000 + seen), days }))

    first.forEach(([name, bids], at) => {
      const later = second[at]![1]
      expect([name, later.slice(0, seen)]).toEqual([name, bids.slice(0, seen)])
      expect(bids).toHaveLength(1_000)
    })
    const moving = first.filter(([, bids], at) => String(bids) !== String(second[at]![1]))
    expect(moving.length).toBeGreaterThan(4)
  })

  test('in days, including the trained agent', () => {
    const window = 40
    const at = days[2]!.window.indexOf(window)
    const first = allDayBids(days)
    const second = allDayBids([days[0]!, days[1]!, withOtherFuture(days[2]!, at)])

    first.forEach(([name, bids], which) => {
      expect([name, second[which]![1].slice(0, at)]).toEqual([name, bids.slice(0, at)])
    })
  })
})

test('days in plain text are read like packed rows', () => {
  const { test: judged } = load({ rows: auctionsBetween(rows, 0, 30), days })

  expect(judged.rows.count).toBe(10)
  expect([...judged.days[0]!.window]).toEqual([...days[2]!.window])
})
