import { CALM_MS, untilCalm } from './calm.ts'
import { atMost, type Load, median, offer, round, type Spent } from './load.ts'
import type { Running } from './processes.ts'

const WARM_UP_WINDOWS = 3
const ROUNDS = 5
const ROUNDS_MAX = 10
const SHARE = 0.7

interface Contest {
  readonly baseline: Running
  readonly subject: Running
  readonly load: Load
  readonly hasLatency: boolean
  say(text: string): void
}

interface Latency {
  readonly baselineP99Ms: number
  readonly p99Ms: number
}

interface Round {
  readonly subject: Spent
  readonly baseline: Spent
  readonly latency?: Latency
}

/**
 * The server and the bare one take turns. Capacity is measured anew in each round, because 70 % of what a
 * shared machine gave a minute ago may be more than it gives now.
 */
export async function takeRounds(contest: Contest) {
  // A program that has just started is still being compiled; nobody measures its first seconds.
  for (let turn = 0; turn < WARM_UP_WINDOWS; turn++) await atMost(contest.subject, contest.load)
  const taken = await untilCalm({
    least: ROUNDS,
    most: contest.hasLatency ? ROUNDS_MAX : ROUNDS,
    isCalm: ({ latency }) => latency !== undefined && latency.baselineP99Ms < CALM_MS,
    take: () => oneRound(contest),
  })
  const { rounds } = taken
  return {
    ratio: median(rounds.map(({ baseline, subject }) => subject.perSecond / baseline.perSecond)),
    cpuRatio: median(rounds.map(({ baseline, subject }) => baseline.cpuMicros / subject.cpuMicros)),
    perSecond: median(rounds.map(({ subject }) => subject.perSecond)),
    baselinePerSecond: median(rounds.map(({ baseline }) => baseline.perSecond)),
    latency: contest.hasLatency ? latencyOf(taken) : undefined,
  }
}

async function oneRound(contest: Contest): Promise<Round> {
  const { load, say } = contest
  const subject = await atMost(contest.subject, load)
  const baseline = await atMost(contest.baseline, load)
  say(`baseline ${baseline.perSecond.toFixed(0)}/s, Placard ${subject.perSecond.toFixed(0)}/s`)
  if (!contest.hasLatency) return { subject, baseline }

  const bare = await offer(contest.baseline, load, partOf(baseline, 5))
  const ours = await offer(contest.subject, load, partOf(subject, 10))
  say(`at 70 %: baseline ${bare.p99Ms.toFixed(1)} ms, Placard ${JSON.stringify(ours)}`)
  return { subject, baseline, latency: { baselineP99Ms: bare.p99Ms, p99Ms: ours.p99Ms } }
}

const partOf = ({ perSecond }: Spent, seconds: number) => ({
  perSecond: perSecond * SHARE,
  seconds,
  connections: 128,
})

type Taken = Awaited<ReturnType<typeof untilCalm<Round>>>

const latencyOf = ({ rounds, calm, counted }: Taken) => ({
  httpP99Ms: median(p99s(counted, 'p99Ms')),
  httpP99MsOfRounds: p99s(rounds, 'p99Ms'),
  baselineP99MsOfRounds: p99s(rounds, 'baselineP99Ms'),
  calmRounds: calm,
})

const p99s = (rounds: readonly Round[], figure: keyof Latency) =>
  rounds.map(({ latency }) => round(latency![figure]))
