import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../apps/server/src/platform/database/embedded.ts'
import { START_FLAGS } from '../../apps/server/src/settings/start-flags.ts'
import { Dice } from '../engine/dice.ts'
import { measureChanges } from './changes.ts'
import { median, rounded } from '../scratch.ts'
import { atMost, type Load, type Offers, type OpenLoop, startOffers } from './load.ts'
import { figuresOf, leaveServerCore, type Running, startProgram } from './processes.ts'
import { addressesByCountry, rawRequest, serveRequest, wrkScript } from './requests.ts'
import { CPU_ONLY, FULL, takeRounds } from './rounds.ts'
import { startSubject, type Subject } from './subject.ts'

/**
 * `serve [ads ...] [--only-http | --only-cpu] [--without=<flag of Node>]`: compares POST /api/v1/ads/serve with a bare node:http
 * server in alternating rounds: capacity, then latency at 70 % of it, from an open-loop generator. Then it measures behaviour under
 * changes and at three times the capacity.
 *
 * Judge by `cpuMicrosPerDecision` and `cpuRatio` (processor time per answer of the bare server / ours): other load hardly affects
 * them. Answers per second and p99 are printed beside those of the bare server, and depend on other load. `--only-cpu` measures the
 * two alone, in a minute. `--without` starts Placard without a flag of `start-flags.ts`.
 */
const REQUESTS = 20_000
const USERS = 200_000
const OVERLOADS = 3
const ENGINE_SIZES = ['1000', '10000', '100000', '1000000']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'only-http': { type: 'boolean', default: false },
    'only-cpu': { type: 'boolean', default: false },
    without: { type: 'string', multiple: true, default: [] },
  },
})

const say = (text: string) => process.stderr.write(`${text}\n`)

async function main(sizes: readonly number[]): Promise<void> {
  leaveServerCore()
  const onlyCpu = values['only-cpu']
  const engine = values['only-http'] || onlyCpu ? {} : await measureEngine()
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-load-'))
  const figures: Record<string, unknown> = {}
  const httpRatio: Record<string, number> = {}
  const cpuRatio: Record<string, number> = {}
  const cpuMicrosPerDecision: Record<string, object> = {}
  const flags = START_FLAGS.filter((flag) => !values.without.includes(flag))
  for (const ads of sizes) {
    say(`${ads} ads: writing the catalogue and starting`)
    const subject = await startSubject(ads, flags)
    const load = await writeLoad(folder, subject)
    // Campaigns get their first leases after the first requests. Before that, answers are empty.
    await atMost(subject, load)
    const baseline = await startBaseline(await replyBytes(subject, load))
    const offers = startOffers(load)
    const hasLatency = ads === sizes[0] && !onlyCpu
    const schedule = onlyCpu ? CPU_ONLY : FULL
    const rounds = await takeRounds({
      baseline,
      subject,
      load,
      offers,
      hasLatency,
      schedule,
      say,
    })
    cpuMicrosPerDecision[ads] = rounds.cpuMicrosPerDecision
    httpRatio[ads] = rounded(rounds.ratio, 3)
    cpuRatio[ads] = rounded(rounds.cpuRatio, 3)
    figures.perSecond = Math.round(rounds.perSecond)
    figures.baselinePerSecond = Math.round(rounds.baselinePerSecond)
    await baseline.stop()
    if (rounds.latency) {
      Object.assign(figures, rounds.latency)
      const usualP99Ms = rounds.latency.httpP99Ms
      Object.assign(figures, await underPressure({ subject, load, offers, usualP99Ms }))
    }
    offers.stop()
    await subject.stop()
  }
  await rm(folder, { recursive: true })
  console.log(JSON.stringify({ ...engine, cpuMicrosPerDecision, cpuRatio, httpRatio, ...figures }))
}

function measureEngine(): Promise<object> {
  say('the engine alone')
  const program = path.join(import.meta.dirname, '../engine/main.ts')
  return figuresOf<object>([process.execPath, '--expose-gc', program, ...ENGINE_SIZES])
}

async function writeLoad(folder: string, { placements }: Subject): Promise<Load> {
  const dice = new Dice(7)
  const addresses = [...(await addressesByCountry(dice, 60)).values()]
  const mix = { placements, users: USERS, addresses }
  const requests = Array.from({ length: REQUESTS }, () => serveRequest(dice, mix))
  const wrk = path.join(folder, 'requests.lua')
  const raw = path.join(folder, 'requests.raw')
  await writeFile(wrk, wrkScript(requests))
  await writeFile(raw, requests.map(rawRequest).join('\0'))
  return { wrk, raw }
}

const SAMPLED = 200

/** Median size of an answer with an ad. */
async function replyBytes({ port }: Subject, { raw }: Load): Promise<number> {
  const requests = (await readFile(raw, 'utf8')).split('\0').slice(0, SAMPLED)
  const sizes: number[] = []
  for (const request of requests) {
    const [head = '', body = ''] = request.split('\r\n\r\n')
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/ads/serve`, {
      method: 'POST',
      headers: headersOf(head),
      body,
    })
    const bytes = (await response.arrayBuffer()).byteLength
    if (response.status === 200) sizes.push(bytes)
  }
  if (sizes.length === 0) throw new Error('no answer has an ad')
  say(`${sizes.length} of ${SAMPLED} answers have an ad, of ${median(sizes)} bytes`)
  return median(sizes)
}

/** The headers that describe the reader. Without them, few ads match. */
const headersOf = (head: string): [string, string][] =>
  head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 2),
    ])
    .filter(([name]) => !/^(?:host|content-length)$/i.test(name))

async function startBaseline(bytes: number): Promise<Running> {
  const port = await freePort()
  return startProgram('baseline.ts', { args: [String(port), String(bytes)], port })
}

interface Pressure {
  readonly subject: Subject
  readonly load: Load
  readonly offers: Offers
  /** At 70 %, before the other measurements. */
  readonly usualP99Ms: number
}

/** Behaviour under catalogue changes and under overload, relative to the capacity at that time. */
async function underPressure({ subject, load, offers, usualP99Ms }: Pressure) {
  const sharesOfNow = async () => {
    const { perSecond } = await atMost(subject, load)
    const offer = (share: number, seconds: number, connections: number) =>
      offers.to(subject, { perSecond: perSecond * share, seconds, connections })
    return { perSecond, offer }
  }

  const changes = await measureChanges({
    subject,
    halfLoad: async () => {
      const { offer } = await sharesOfNow()
      return () => offer(0.5, 5, 128)
    },
  })
  const overloads = []
  for (let time = 0; time < OVERLOADS; time++) {
    const { perSecond, offer } = await sharesOfNow()
    const times = await timesInside(subject.port)
    const overload = await offer(3, 10, 256)
    say(`at 300 %: ${JSON.stringify(overload)}`)
    const shedMs = p99Of(times, await timesInside(subject.port))
    const after = await offer(0.7, 8, 128)
    say(`after it, at 70 %: ${JSON.stringify(after)}`)
    const goodput = overload.perSecond / perSecond
    overloads.push({ goodput, shedMs, recovered: recoveredAfter(after, usualP99Ms) })
  }
  return {
    ...changes,
    overloadGoodput: rounded(median(overloads.map(({ goodput }) => goodput)), 3),
    shedMs: median(overloads.map(({ shedMs }) => shedMs)),
    recoveredSeconds: median(overloads.map(({ recovered }) => recovered)),
  }
}

const NORMAL_MS = 5
const NORMAL_FACTOR = 1.5

/** Seconds after the overload until latency is normal again: below 5 ms, or below 1.5 times its former value. */
function recoveredAfter({ p99MsBySecond }: OpenLoop, usualP99Ms: number): number {
  const normalMs = Math.max(NORMAL_MS, usualP99Ms * NORMAL_FACTOR)
  const at = p99MsBySecond.findIndex((p99Ms) => p99Ms <= normalMs)
  return at < 0 ? Infinity : at + 1
}

type Times = ReadonlyMap<number, number>

/** The server's own histogram: number of answers of the route by duration, all statuses together. */
async function timesInside(port: number): Promise<Times> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const buckets = text.matchAll(
    /placard_request_duration_seconds_bucket\{le="([^"]+)"[^}]*ads\/serve"[^}]*\} (\d+)/g,
  )
  const times = new Map<number, number>()
  for (const [, bound, count] of buckets) {
    const seconds = Number(bound!.replace('+Inf', 'Infinity'))
    times.set(seconds, (times.get(seconds) ?? 0) + Number(count))
  }
  return times
}

/** 99th percentile between two histograms, from parsed request to written reply: the bucket's upper bound, in ms. */
function p99Of(before: Times, after: Times): number {
  const between = [...after].map(
    ([seconds, count]) => [seconds, count - (before.get(seconds) ?? 0)] as const,
  )
  const total = between.at(-1)?.[1] ?? 0
  return (between.find(([, count]) => count >= total * 0.99)?.[0] ?? NaN) * 1_000
}

const sizes = positionals.map(Number)
await main(sizes.length > 0 ? sizes : [10_000, 100_000])
