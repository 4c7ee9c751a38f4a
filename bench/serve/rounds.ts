import { median, rounded } from '../scratch.ts'
import { atMost, type Load, type Offers, type OpenLoop, type Spent } from './load.ts'
import type { Running } from './processes.ts'

const WARM_UP_WINDOWS = 5
const ROUNDS = 7
const SHARE = 0.7
const LATENCY_SECONDS = 5

interface Contest {
  readonly baseline: Running
  readonly subject: Running
  readonly load: Load
  readonly offers: Offers
  readonly hasLatency: boolean
  say(text: string): void
}

interface Round {
  readonly subject: Spent
  readonly baseline: Spent
  readonly latency?: { readonly subject: OpenLoop; readonly baseline: OpenLoop }
}

/**
 * The server and the bare one take turns, in many short rounds of which the middle counts. Capacity is
 * measured anew in each, because 70 % of what a shared machine gave a minute ago may be more than it gives now.
 */
export async function takeRounds(contest: Contest) {
  const { baseline, subject, load, offers, hasLatency } = contest
  // A program that has just started is still being compiled; nobody measures its first seconds.
  for (let turn = 0; turn < WARM_UP_WINDOWS; turn++) await atMost(subject, load)
  if (hasLatency) await offers.to(baseline, partOf(await atMost(baseline, load)))
  const rounds: Round[] = []
  while (rounds.length < ROUNDS) rounds.push(await oneRound(contest))
  return {
    ratio: median(rounds.map(({ baseline, subject }) => subject.perSecond / baseline.perSecond)),
    cpuRatio: median(rounds.map(({ baseline, subject }) => baseline.cpuMicros / subject.cpuMicros)),
    perSecond: median(rounds.map(({ subject }) => subject.perSecond)),
    baselinePerSecond: median(rounds.map(({ baseline }) => baseline.perSecond)),
    latency: hasLatency ? latencyOf(rounds) : undefined,
  }
}

async function oneRound(contest: Contest): Promise<Round> {
  const { baseline, subject, load, offers, hasLatency, say } = contest
  const bare = await atMost(baseline, load)
  const ours = await atMost(subject, load)
  say(`baseline ${bare.perSecond.toFixed(0)}/s, Placard ${ours.perSecond.toFixed(0)}/s`)
  const round = { baseline: bare, subject: ours }
  if (!hasLatency) return round

  const latency = {
    subject: await offers.to(subject, partOf(ours)),
    baseline: await offers.to(baseline, partOf(bare)),
  }
  say(
    `at 70 %: baseline ${latency.baseline.p99Ms.toFixed(1)} ms, Placard ${JSON.stringify(latency.subject)}`,
  )
  return { ...round, latency }
}

const partOf = ({ perSecond }: Spent) => ({
  perSecond: perSecond * SHARE,
  seconds: LATENCY_SECONDS,
  connections: 128,
})

function latencyOf(rounds: readonly Round[]) {
  const p99s = (who: 'subject' | 'baseline') =>
    rounds.flatMap(({ latency }) => latency?.[who].p99Ms ?? [])
  return {
    httpP99Ms: rounded(median(p99s('subject'))),
    httpP99MsOfRounds: p99s('subject').map((p99Ms) => rounded(p99Ms)),
    baselineP99Ms: rounded(median(p99s('baseline'))),
    baselineP99MsOfRounds: p99s('baseline').map((p99Ms) => rounded(p99Ms)),
  }
}
