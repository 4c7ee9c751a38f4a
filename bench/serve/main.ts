import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../apps/server/src/platform/database/embedded.ts'
import { START_FLAGS } from '../../apps/server/src/start-flags.ts'
import { Dice } from '../engine/dice.ts'
import { measureChanges } from './changes.ts'
import { figuresOf, generate, leaveServerCore, type Running, startProgram } from './processes.ts'
import { addressesByCountry, rawRequest, serveRequest, wrkScript } from './requests.ts'
import { startSubject, type Subject } from './subject.ts'

/**
 * `serve [ads ...] [--only-http]`: POST /api/v1/ads/serve against a bare node:http server, in windows that take turns; then latency at
 * 70 % of the capacity and behaviour at three times of it, both from an open-loop generator.
 */
const WINDOW_SECONDS = 5
const WINDOWS = 5
const WARM_UP_WINDOWS = 3
const CALM_WINDOWS = 3
const CONNECTIONS = 32
const REQUESTS = 20_000
const USERS = 200_000
const ENGINE_SIZES = ['1000', '10000', '100000', '1000000']

interface Window {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly errors: number
}

interface OpenLoop {
  readonly offered: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How far its own ticks were apart: what it was late itself, it counts as the server's. */
  readonly tickP99Ms: number
  readonly tickMaxMs: number
  /** From its start, also of the first seconds, which count in no other figure. */
  readonly p99MsBySecond: readonly number[]
  readonly statuses: Record<string, number>
}

interface Load {
  readonly wrk: string
  readonly raw: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'only-http': { type: 'boolean', default: false } },
})

const say = (text: string) => process.stderr.write(`${text}\n`)
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function main(sizes: readonly number[]): Promise<void> {
  leaveServerCore()
  const engine = values['only-http'] ? {} : await measureEngine()
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-load-'))
  const figures: Record<string, unknown> = {}
  const httpRatio: Record<string, number> = {}
  const cpuRatio: Record<string, number> = {}
  for (const ads of sizes) {
    say(`${ads} ads: writing the catalogue and starting`)
    const subject = await startSubject(ads)
    const load = await writeLoad(folder, subject)
    // Campaigns get their first money when they are first asked for: before that, answers are empty.
    await oneWindow(subject, load)
    const baseline = await startBaseline(await replyBytes(subject, load))
    const turns = await takeTurns({ baseline, subject, load })
    httpRatio[ads] = round(turns.ratio)
    cpuRatio[ads] = round(turns.cpuRatio)
    Object.assign(figures, { baselinePerSecond: Math.round(turns.baselinePerSecond) })
    if (ads === sizes[0]) {
      Object.assign(figures, await underLoad(subject, load, turns.subjectPerSecond))
      Object.assign(figures, await bareUnderLoad(baseline, load, turns.baselinePerSecond))
    }
    await baseline.stop()
    await subject.stop()
  }
  await rm(folder, { recursive: true })
  console.log(JSON.stringify({ ...engine, httpRatio, cpuRatio, ...figures }))
}

function measureEngine(): Promise<object> {
  say('the engine alone')
  const program = path.join(import.meta.dirname, '../engine/main.ts')
  return figuresOf<object>([process.execPath, '--expose-gc', program, ...ENGINE_SIZES])
}

const round = (value: number) => Math.round(value * 1_000) / 1_000

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

/** What an answer weighs that is not empty, on average. */
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
  if (sizes.length === 0) throw new Error('no answer has an ad: there is nothing to compare with')
  say(`${sizes.length} of ${SAMPLED} answers have an ad, of ${median(sizes)} bytes`)
  return median(sizes)
}

/** Those that tell of the reader; without them few ads are for him. */
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

interface Turns {
  readonly baseline: Running
  readonly subject: Running
  readonly load: Load
}

async function takeTurns({ baseline, subject, load }: Turns) {
  const windows: { baseline: Spent; subject: Spent }[] = []
  // A program that has just started is still being compiled; nobody measures its first seconds.
  for (let turn = 0; turn < WARM_UP_WINDOWS; turn++) await oneWindow(subject, load)
  for (let turn = 0; turn < WINDOWS; turn++) {
    const pair = {
      baseline: await oneWindow(baseline, load),
      subject: await oneWindow(subject, load),
    }
    say(
      `baseline ${pair.baseline.perSecond.toFixed(0)}/s, Placard ${pair.subject.perSecond.toFixed(0)}/s`,
    )
    windows.push(pair)
  }
  return {
    ratio: median(windows.map(({ baseline, subject }) => subject.perSecond / baseline.perSecond)),
    cpuRatio: median(
      windows.map(({ baseline, subject }) => baseline.cpuMicros / subject.cpuMicros),
    ),
    subjectPerSecond: median(windows.map(({ subject }) => subject.perSecond)),
    baselinePerSecond: median(windows.map(({ baseline }) => baseline.perSecond)),
  }
}

type Spent = Window & { readonly cpuMicros: number }

async function oneWindow(server: Running, { wrk }: Load): Promise<Spent> {
  const before = server.cpuSeconds()
  const window = await generate<Window>('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${WINDOW_SECONDS}s`,
    '-s',
    wrk,
    `http://127.0.0.1:${server.port}`,
  ])
  const requests = window.perSecond * WINDOW_SECONDS
  return { ...window, cpuMicros: ((server.cpuSeconds() - before) * 1e6) / requests }
}

interface Offer {
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
}

const offer = ({ port }: Running, { raw }: Load, { perSecond, seconds, connections }: Offer) =>
  generate<OpenLoop>(process.execPath, [
    ...START_FLAGS,
    path.join(import.meta.dirname, 'open-loop.ts'),
    ...[port, Math.round(perSecond), seconds, connections].map(String),
    raw,
  ])

/** What the machine itself adds: a server that does nothing, at 70 % of its own capacity. */
async function bareUnderLoad(baseline: Running, load: Load, capacity: number) {
  const bare = await offer(baseline, load, {
    perSecond: capacity * 0.7,
    seconds: 10,
    connections: 128,
  })
  say(`the bare server at 70 %: ${JSON.stringify(bare)}`)
  return { baselineP99Ms: round(bare.p99Ms) }
}

async function underLoad(subject: Subject, load: Load, capacity: number) {
  const openLoop = (share: number, seconds: number, connections: number) =>
    offer(subject, load, { perSecond: capacity * share, seconds, connections })

  const windows: OpenLoop[] = []
  for (let window = 0; window < CALM_WINDOWS; window++) {
    windows.push(await openLoop(0.7, 10, 128))
    say(`at 70 %: ${JSON.stringify(windows.at(-1))}`)
  }
  const calm = windows.toSorted((a, b) => a.p99Ms - b.p99Ms)[Math.floor(CALM_WINDOWS / 2)]!
  const changes = await measureChanges(subject, () => openLoop(0.5, 8, 128))
  const before = await timesInside(subject.port)
  const flood = await openLoop(3, 10, 256)
  say(`at 300 %: ${JSON.stringify(flood)}`)
  const shedMs = p99Of(before, await timesInside(subject.port))
  const after = await openLoop(0.7, 8, 128)
  say(`after it, at 70 %: ${JSON.stringify(after)}`)
  return {
    httpP99Ms: round(calm.p99Ms),
    httpP99MsOfWindows: windows.map(({ p99Ms }) => round(p99Ms)),
    ...changes,
    overloadGoodput: round(flood.perSecond / capacity),
    shedMs,
    ...recovery(after, calm),
  }
}

const NORMAL_MS = 5
const NORMAL_FACTOR = 1.5

/** How soon after the flood a second is as good as before it: under 5 ms, or half as much again as then. */
function recovery({ p99MsBySecond }: OpenLoop, calm: OpenLoop) {
  const normalMs = Math.max(NORMAL_MS, calm.p99Ms * NORMAL_FACTOR)
  const at = p99MsBySecond.findIndex((p99Ms) => p99Ms <= normalMs)
  return {
    recoveredSeconds: at < 0 ? undefined : at + 1,
    recoveredP99Ms: round(p99MsBySecond[5] ?? Infinity),
  }
}

type Times = ReadonlyMap<number, number>

/** The server's own histogram: how many answers of the route took at most so many seconds, all statuses together. */
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

/** The 99th percentile, from request parsed to reply written, of what was answered between: the bucket's upper bound, in ms. */
function p99Of(before: Times, after: Times): number {
  const between = [...after].map(
    ([seconds, count]) => [seconds, count - (before.get(seconds) ?? 0)] as const,
  )
  const total = between.at(-1)?.[1] ?? 0
  return (between.find(([, count]) => count >= total * 0.99)?.[0] ?? NaN) * 1_000
}

const sizes = positionals.map(Number)
await main(sizes.length > 0 ? sizes : [10_000, 100_000])
