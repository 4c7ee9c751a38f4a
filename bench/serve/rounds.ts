import { median, rounded } from '../scratch.ts'
import { atMost, inWords, type Load, offer, type Spent } from './load.ts'
import type { Machine, Window } from './machine.ts'
import type { Running } from './processes.ts'

const WARM_UP_WINDOWS = 3
const ROUNDS = 5
const ROUNDS_MAX = 10
const SHARE = 0.7

interface Contest {
  readonly baseline: Running
  readonly subject: Running
  readonly load: Load
  readonly machine: Machine
  readonly hasLatency: boolean
  say(text: string): void
}

interface Round {
  readonly subject: Spent
  readonly baseline: Spent
  readonly latency?: { readonly subject: Window; readonly baseline: Window }
}

/**
 * The server and the bare one take turns. Capacity is measured anew in each round, because 70 % of what a
 * shared machine gave a minute ago may be more than it gives now. Where latency is wanted, rounds go on
 * until the machine was steady for long enough, or it is clear that it will not be.
 */
export async function takeRounds(contest: Contest) {
  const { subject, load, hasLatency } = contest
  // A program that has just started is still being compiled; nobody measures its first seconds.
  for (let turn = 0; turn < WARM_UP_WINDOWS; turn++) await atMost(subject, load)
  const rounds: Round[] = []
  const isEnough = () => !hasLatency || p99s(contest.machine, rounds).subject.isEnough
  while (rounds.length < ROUNDS || (rounds.length < ROUNDS_MAX && !isEnough())) {
    rounds.push(await oneRound(contest))
  }
  return {
    ratio: median(rounds.map(({ baseline, subject }) => subject.perSecond / baseline.perSecond)),
    cpuRatio: median(rounds.map(({ baseline, subject }) => baseline.cpuMicros / subject.cpuMicros)),
    perSecond: median(rounds.map(({ subject }) => subject.perSecond)),
    baselinePerSecond: median(rounds.map(({ baseline }) => baseline.perSecond)),
    paceMicros: median(rounds.map(({ latency }) => latency?.subject.paceMicros ?? 0)),
    latency: hasLatency ? latencyOf(contest.machine, rounds) : undefined,
  }
}

async function oneRound(contest: Contest): Promise<Round> {
  const { load, machine, say } = contest
  const [subject, paceMicros] = await machine.paceDuring(() => atMost(contest.subject, load))
  const [baseline, barePaceMicros] = await machine.paceDuring(() => atMost(contest.baseline, load))
  say(`baseline ${baseline.perSecond.toFixed(0)}/s, Placard ${subject.perSecond.toFixed(0)}/s`)
  if (!contest.hasLatency) return { subject, baseline }

  const bare = await offer(contest.baseline, load, partOf(baseline, 5))
  const ours = await offer(contest.subject, load, partOf(subject, 10))
  say(`at 70 %: baseline ${bare.p99Ms.toFixed(1)} ms, Placard ${inWords(ours)}`)
  return {
    subject,
    baseline,
    latency: {
      subject: { answers: ours, paceMicros },
      baseline: { answers: bare, paceMicros: barePaceMicros },
    },
  }
}

const partOf = ({ perSecond }: Spent, seconds: number) => ({
  perSecond: perSecond * SHARE,
  seconds,
  connections: 128,
})

function p99s(machine: Machine, rounds: readonly Round[]) {
  const windows = rounds.flatMap(({ latency }) => latency ?? [])
  return {
    subject: machine.p99(windows.map(({ subject }) => subject)),
    baseline: machine.p99(windows.map(({ baseline }) => baseline)),
  }
}

function latencyOf(machine: Machine, rounds: readonly Round[]) {
  const { subject, baseline } = p99s(machine, rounds)
  return {
    httpP99Ms: subject.p99Ms,
    httpP99MsOfRounds: rounds.map(({ latency }) => rounded(latency!.subject.answers.p99Ms)),
    steadyShare: subject.steadyShare,
    baselineP99Ms: baseline.p99Ms,
  }
}
