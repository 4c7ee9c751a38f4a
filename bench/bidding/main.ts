import path from 'node:path'
import { parseArgs } from 'node:util'
import {
  DAY_POLICIES,
  type DayFigures,
  dayCases,
  dqnWith,
  judgeDays,
  withUnsteadyPast,
  wrongBy,
} from './days.ts'
import { EPISODES, trainingDays, trainNetwork } from './dqn.ts'
import { runEpisodes } from './episodes.ts'
import { findRows } from './rows.ts'
import { type Campaign, loadCampaigns } from './split.ts'

/** `node bench/bidding/main.ts [--history DIR] [--test DIR]` prints one line of JSON. */
const DATA = '../shared/data'
const SEEDS = [1, 2, 3]

const started = performance.now()
const { values } = parseArgs({
  options: {
    history: { type: 'string' },
    test: { type: 'string' },
    'dqn-episodes': { type: 'string', default: String(EPISODES) },
  },
})
const ROOT = path.join(import.meta.dirname, '../..')
const history = rowsOf(values.history === undefined ? path.join(ROOT, DATA) : values.history)
const test = values.test === undefined ? undefined : rowsOf(values.test)
say(
  test === undefined || test === history
    ? 'the last third of the rows is the test'
    : `testing on ${test}`,
)
const campaigns = loadCampaigns(history, test === history ? undefined : test)

const episodes = runEpisodes(campaigns, say)
const loop = runDays(campaigns)
const seconds = Math.round((performance.now() - started) / 100) / 10
console.log(JSON.stringify({ shipped: 're-solve', episodes, ...loop, seconds }))

function runDays(all: readonly Campaign[]) {
  const cases = dayCases(all)
  if (cases.length === 0) {
    say('no campaign has both days of history and days to test')
    return { days: {}, dqnSeeds: [], wrongPrior: {}, unsteadyPast: {} }
  }
  const days: Record<string, DayFigures> = {}
  for (const [name, policy] of Object.entries(DAY_POLICIES)) {
    say(`days of ${name}`)
    days[name] = judgeDays(cases, policy)
  }
  const wrongPrior = {
    quarter: judgeDays(cases, wrongBy(1 / 4)).R,
    four: judgeDays(cases, wrongBy(4)).R,
  }
  const unsteadyPast = judgeDays(withUnsteadyPast(cases), DAY_POLICIES['re-solve']!)
  const past = trainingDays(all)
  const trained = SEEDS.map((seed) => {
    const residual =
      past.length === 0
        ? undefined
        : trainNetwork(past, { seed, episodes: Number(values['dqn-episodes']) }, say)
    return judgeDays(cases, dqnWith(residual))
  })
  const median = trained.toSorted((a, b) => a.R - b.R)[Math.floor(trained.length / 2)]!
  days['dqn'] = median
  return { days, dqnSeeds: trained.map(({ R }) => R), wrongPrior, unsteadyPast }
}

function rowsOf(folder: string): string {
  const found = findRows(path.resolve(folder))
  if (found === undefined) {
    console.error(
      `No auctions in ${folder}. It needs the folders validation, days and price-histograms.`,
    )
    process.exit(1)
  }
  return found
}

function say(text: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`)
}
