import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Pool } from 'pg'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { freePort } from '../../apps/server/src/platform/database/embedded.ts'
import { createSealer, parseKeyRing } from '../../apps/server/src/capabilities/tracking/index.ts'
import { generate, type Running, startProgram } from '../serve/processes.ts'
import { newClaims } from './market.ts'
import { median } from './settled.ts'
import { until } from '../../apps/server/src/testing/until.ts'

const WINDOWS = 5
const WINDOW_SECONDS = 5
const CONNECTIONS = 128
const LINKS_PER_WINDOW = 250_000
const KEYS = `1:${'bench'.repeat(10)}`

interface Window {
  readonly perSecond: number
  readonly p99Ms: number
  readonly errors: number
}

type Spent = Window & { readonly cpuMicros: number }

interface Market {
  readonly url: string
  readonly pool: Pool
}

/** One event per request, each with its own link, against a server that only answers. */
export async function measureAcknowledged({ url, pool }: Market, say: (text: string) => void) {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-links-'))
  const subject = await start('../ingest/server.ts', [url, KEYS])
  const baseline = await start('../ingest/http-baseline.ts', [])
  const windows: { bare: Spent; ours: Spent; throughPerSecond: number }[] = []
  let acknowledged = 0
  const before = await countImpressions(pool)
  for (let round = 0; round <= WINDOWS; round++) {
    const script = await writeScript(folder, round)
    const pair = { bare: await oneWindow(baseline, script), ours: await oneWindow(subject, script) }
    const events = pair.ours.perSecond * WINDOW_SECONDS
    acknowledged += events
    const throughPerSecond = events / (WINDOW_SECONDS + (await untilSettled(pool)))
    say(
      `bare ${pair.bare.perSecond.toFixed(0)}/s, acknowledged ${JSON.stringify(pair.ours)}, through ${throughPerSecond.toFixed(0)}/s`,
    )
    if (round > 0) windows.push({ ...pair, throughPerSecond })
  }
  const counted = (await countImpressions(pool)) - before
  say(`acknowledged about ${acknowledged.toFixed(0)}, counted ${counted}`)
  await subject.stop()
  await baseline.stop()
  await rm(folder, { recursive: true })
  return {
    ackRatio:
      Math.round(median(windows.map(({ bare, ours }) => ours.perSecond / bare.perSecond)) * 1_000) /
      1_000,
    /** Of the server's process alone, without the database. */
    ackCpuRatio:
      Math.round(median(windows.map(({ bare, ours }) => bare.cpuMicros / ours.cpuMicros)) * 1_000) /
      1_000,
    ackP99Ms: Math.round(median(windows.map(({ ours }) => ours.p99Ms)) * 100) / 100,
    ackPerSecond: Math.round(median(windows.map(({ ours }) => ours.perSecond))),
    baselinePerSecond: Math.round(median(windows.map(({ bare }) => bare.perSecond))),
    /** The sustainable rate: includes the time until everything is settled. */
    throughRatio:
      Math.round(
        median(windows.map(({ bare, throughPerSecond }) => throughPerSecond / bare.perSecond)) *
          1_000,
      ) / 1_000,
    ackErrors: windows.reduce((sum, { ours }) => sum + ours.errors, 0),
  }
}

async function start(file: string, args: string[]): Promise<Running> {
  const port = await freePort()
  return startProgram(file, { args: [String(port), ...args], port })
}

/** Seconds until everything is settled. The next window starts with nothing staged. */
async function untilSettled(pool: Pool): Promise<number> {
  const startMs = performance.now()
  const isSettled = async () => {
    const { rows } = await pool.query('select exists (select from event_inbox) as waits')
    return !rows[0].waits
  }
  await until('everything is settled', isSettled, { pauseMs: 20, secondsMax: 600 })
  return (performance.now() - startMs) / 1_000
}

async function countImpressions(pool: Pool): Promise<number> {
  const { rows } = await pool.query('select count(*)::integer as count from impressions')
  return rows[0].count
}

async function writeScript(folder: string, round: number): Promise<string> {
  const sealer = createSealer(parseKeyRing(KEYS), systemRandom)
  const links = Array.from({ length: LINKS_PER_WINDOW }, () => `/t/i/${sealer.seal(newClaims())}`)
  const list = path.join(folder, `links-${round}.txt`)
  await writeFile(list, links.join('\n'))
  const script = path.join(folder, `links-${round}.lua`)
  await writeFile(
    script,
    `local paths = {}
for line in io.lines("${list}") do paths[#paths + 1] = line end
local i = 0
wrk.headers["user-agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
request = function() i = i % #paths + 1; return wrk.format("GET", paths[i]) end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"perSecond":%f,"p99Ms":%f,"errors":%d}\\n', summary.requests / summary.duration * 1e6,
    latency:percentile(99) / 1000, e.connect + e.read + e.write + e.status + e.timeout))
end
`,
  )
  return script
}

async function oneWindow(server: Running, script: string): Promise<Spent> {
  const before = server.cpuSeconds()
  const window = await generate<Window>('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${WINDOW_SECONDS}s`,
    '-s',
    script,
    `http://127.0.0.1:${server.port}`,
  ])
  const requests = window.perSecond * WINDOW_SECONDS
  return { ...window, cpuMicros: ((server.cpuSeconds() - before) * 1e6) / requests }
}
