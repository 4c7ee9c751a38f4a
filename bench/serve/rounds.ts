import { median, rounded } from '../scratch.ts'
import {
  atMost,
  CAPACITY_SECONDS,
  type Load,
  type Offers,
  type OpenLoop,
  type Spent,
} from './load.ts'
import type { Running } from './processes.ts'
import type { Subject } from './subject.ts'

/** Rounds of a comparison. `CPU_ONLY` is short: processor time per answer varies much less than answers per second. */
export interface Schedule {
  readonly warmUps: number
  readonly rounds: number
  readonly windowSeconds: number
}

export const FULL: Schedule = { warmUps: 5, rounds: 7, windowSeconds: CAPACITY_SECONDS }
export const CPU_ONLY: Schedule = { warmUps: 3, rounds: 5, windowSeconds: 3 }

const SHARE = 0.7
const LATENCY_SECONDS = 5

interface Contest {
  readonly baseline: Running
  readonly subject: Subject
  readonly load: Load
  readonly offers: Offers
  readonly hasLatency: boolean
  readonly schedule: Schedule
  say(text: string): void
}

interface Round {
  readonly subject: Spent
  readonly baseline: Spent
  readonly latency?: { readonly subject: OpenLoop; readonly baseline: OpenLoop }
}

/**
 * Alternates between the server and the bare one in many short rounds. The medians count. Each round measures
 * capacity again, because 70 % of a shared machine's capacity a minute ago may be more than its capacity now.
 */
export async function takeRounds(contest: Contest) {
  const { baseline, subject, load, offers, hasLatency, schedule } = contest
  const { warmUps, windowSeconds } = schedule
  // A new process is still being compiled, so its first seconds do not count.
  for (let window = 0; window < warmUps; window++) await atMost(subject, load, windowSeconds)
  if (hasLatency) await offers.to(baseline, partOf(await atMost(baseline, load)))
  const rounds: Round[] = []
  while (rounds.length < schedule.rounds) rounds.push(await oneRound(contest))
  return {
    ratio: median(rounds.map(({ baseline, subject }) => subject.perSecond / baseline.perSecond)),
    cpuRatio: median(rounds.map(({ baseline, subject }) => baseline.cpuMicros / subject.cpuMicros)),
    cpuMicrosPerDecision: {
      api: middle(rounds, ({ subject }) => subject.cpuMicros),
      postgres: middle(rounds, ({ subject }) => subject.postgresCpuMicros),
      /** A single node keeps its counters in memory and uses no Redis. */
      redis: 0,
      bareNodeHttp: middle(rounds, ({ baseline }) => baseline.cpuMicros),
    },
    perSecond: median(rounds.map(({ subject }) => subject.perSecond)),
    baselinePerSecond: median(rounds.map(({ baseline }) => baseline.perSecond)),
    latency: hasLatency ? latencyOf(rounds) : undefined,
  }
}

const middle = (rounds: readonly Round[], of: (round: Round) => number) =>
  rounded(median(rounds.map(of)))

async function oneRound(contest: Contest): Promise<Round> {
  const { baseline, subject, load, offers, hasLatency, say, schedule } = contest
  const bare = await atMost(baseline, load, schedule.windowSeconds)
  const ours = await atMost(subject, load, schedule.windowSeconds)
  say(`baseline ${described(bare)}, Placard ${described(ours)}`)
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

const described = ({ perSecond, cpuMicros }: Spent) =>
  `${perSecond.toFixed(0)}/s at ${cpuMicros.toFixed(1)} µs of processor time`

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
