import { median, rounded } from '../scratch.ts'
import { atMost, type Load, type Offers, type OpenLoop, type Spent } from './load.ts'
import type { Running } from './processes.ts'
import { measureSteady } from './steady.ts'

const WARM_UP_WINDOWS = 6
const ROUNDS = 9
const ROUNDS_MAX = 24
const SHARE = 0.7
const LATENCY_SECONDS = 5
const WITNESS_SECONDS = 2
const CONNECTIONS = 128

export interface Contest {
  readonly baseline: Running
  readonly subject: Running
  readonly load: Load
  readonly offers: Offers
  say(text: string): void
}

interface Round {
  readonly subject: Spent
  readonly baseline: Spent
}

/** A program that has just started is still being compiled; nobody measures its first seconds. */
export async function warmUp({ baseline, subject, load, offers }: Contest): Promise<void> {
  for (let turn = 0; turn < WARM_UP_WINDOWS; turn++) await atMost(subject, load)
  await offers.to(baseline, { ...(await partOf(baseline, load)), seconds: LATENCY_SECONDS })
}

/** The server and the bare one take turns, in many short rounds of which the middle counts. */
export async function compareCapacity({ baseline, subject, load, say }: Contest) {
  const rounds: Round[] = []
  while (rounds.length < ROUNDS) {
    const round = { baseline: await atMost(baseline, load), subject: await atMost(subject, load) }
    say(
      `baseline ${round.baseline.perSecond.toFixed(0)}/s, Placard ${round.subject.perSecond.toFixed(0)}/s`,
    )
    rounds.push(round)
  }
  return {
    ratio: median(rounds.map(({ baseline, subject }) => subject.perSecond / baseline.perSecond)),
    cpuRatio: median(rounds.map(({ baseline, subject }) => baseline.cpuMicros / subject.cpuMicros)),
    perSecond: median(rounds.map(({ subject }) => subject.perSecond)),
    baselinePerSecond: median(rounds.map(({ baseline }) => baseline.perSecond)),
  }
}

/** How long an answer takes at 70 % of what the server has just been able to do. */
export async function measureLatency(contest: Contest) {
  const { subject, load, offers, say } = contest
  const { all, counted, steady } = await measureSteady<OpenLoop>({
    witness: () => witnessOf(contest),
    async measure() {
      const latency = await offers.to(subject, {
        ...(await partOf(subject, load)),
        seconds: LATENCY_SECONDS,
      })
      say(`at 70 %: ${JSON.stringify(latency)}`)
      return latency
    },
    wanted: ROUNDS,
    most: ROUNDS_MAX,
  })
  const p99s = (some: typeof all) => some.map(({ figure }) => figure.p99Ms)
  return {
    httpP99Ms: rounded(median(p99s(counted))),
    httpP99MsOfRounds: p99s(counted).map((p99Ms) => rounded(p99Ms)),
    steadyRounds: `${steady} of ${all.length}`,
    httpP99MsOfAllRounds: p99s(all).map((p99Ms) => rounded(p99Ms)),
    baselineP99MsOfAllRounds: all.map(({ before }) => rounded(before)),
  }
}

/** What the machine allows at the moment. */
export async function witnessOf({ baseline, load, offers, say }: Contest): Promise<number> {
  const offer = { ...(await partOf(baseline, load)), seconds: WITNESS_SECONDS }
  const { p99Ms } = await offers.to(baseline, offer)
  say(`baseline at 70 %: ${p99Ms.toFixed(1)} ms`)
  return p99Ms
}

const partOf = async (server: Running, load: Load) => ({
  perSecond: (await atMost(server, load)).perSecond * SHARE,
  connections: CONNECTIONS,
})
