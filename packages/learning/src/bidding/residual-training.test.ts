import { expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { Network } from '../network/network.ts'
import { BID_MAX, marketDay } from '../testing/market.ts'
import { requestsPerWindow } from './auctions.ts'
import { replayDay } from './replay.ts'
import { residualPolicy, trainResidual, type TrainingDay } from './residual-training.ts'
import { curveOf } from './spend-curve.ts'
import { forecastTraffic } from './traffic-forecast.ts'

const settings = { episodes: 25, updatesPerEpisode: 4, bidMax: BID_MAX, ratios: [1 / 8] }

/** Days with the history of another day of the same market. */
function days(): TrainingDay[] {
  return [1, 2].map((seed) => {
    const day = marketDay({ count: 1_000, seed })
    const other = marketDay({ count: 1_000, seed: seed + 10 })
    return {
      auctions: day,
      curve: curveOf(other, BID_MAX),
      traffic: forecastTraffic([requestsPerWindow(other)]),
      fullBudget: 1_000 * 60,
    }
  })
}

const train = () => trainResidual(days(), settings, seededDraws(5))

test('training on the same days with the same seed gives the same network', () => {
  expect(train()).toEqual(train())
})

test('a trained residual can be stored, restored and bids', () => {
  const [day] = days()
  const { network, margin } = train()
  const residual = { network: Network.restore(JSON.parse(JSON.stringify(network))), margin }
  const budget = 7_000

  const rules = { budget, bidMax: BID_MAX, traffic: day!.traffic }
  const { spend } = replayDay(day!.auctions, residualPolicy(day!.curve, residual), rules)

  expect(spend).toBeGreaterThan(0.9 * budget)
  expect(spend).toBeLessThanOrEqual(budget)
})
