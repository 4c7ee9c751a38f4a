import { writeObservation } from '@placard/client/observations'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { freePort } from '../../apps/server/src/platform/database/embedded.ts'
import { median, rounded } from '../scratch.ts'
import { generate, type Running, startProgram } from '../serve/processes.ts'

const WINDOWS = 5
const WINDOW_SECONDS = 5
const CONNECTIONS = 128
const MESSAGES = 1_000

interface Window {
  readonly perSecond: number
  readonly errors: number
}

type Spent = Window & { readonly cpuMicros: number }

/** Rate of durable, acknowledged observations, relative to a server that only answers, in alternating windows. */
export async function measureIngest(
  { url, pool, folder }: { url: string; pool: Pool; folder: string },
  say: (text: string) => void,
) {
  const script = await writeScript(folder)
  const subject = await start('../geo/server.ts', [url])
  const baseline = await start('../geo/http-baseline.ts', [])
  const windows: { bare: Spent; ours: Spent }[] = []
  for (let round = 0; round <= WINDOWS; round++) {
    const pair = { bare: await oneWindow(baseline, script), ours: await oneWindow(subject, script) }
    say(`bare ${pair.bare.perSecond.toFixed(0)}/s, accepted ${JSON.stringify(pair.ours)}`)
    if (round > 0) windows.push(pair)
    await pool.query('truncate observation_queue')
  }
  await subject.stop()
  await baseline.stop()
  const middle = (of: (window: (typeof windows)[number]) => number) => median(windows.map(of))
  return {
    ingestRatio: rounded(
      middle(({ bare, ours }) => ours.perSecond / bare.perSecond),
      3,
    ),
    /** Of the server's process alone, without the database. */
    ingestCpuRatio: rounded(
      middle(({ bare, ours }) => bare.cpuMicros / ours.cpuMicros),
      3,
    ),
    acceptedPerSecond: Math.round(middle(({ ours }) => ours.perSecond)),
    baselinePerSecond: Math.round(middle(({ bare }) => bare.perSecond)),
    ingestErrors: windows.reduce((sum, { ours }) => sum + ours.errors, 0),
  }
}

async function start(file: string, args: string[]): Promise<Running> {
  const port = await freePort()
  return startProgram(file, { args: [String(port), ...args], port })
}

async function writeScript(folder: string): Promise<string> {
  const messages = Array.from({ length: MESSAGES }, (_, i) => {
    const id = String(i).padStart(12, '0')
    const bytes = writeObservation({
      userId: `01890000-0000-7000-8000-${id}`,
      deviceSessionId: `01890000-0000-7000-9000-${id}`,
      ipAddress: Uint8Array.of(49, i >> 8, i & 255, 1),
    })
    return `"${[...bytes].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`
  })
  const script = path.join(folder, 'observations.lua')
  await writeFile(
    script,
    `local bodies = {${messages.join(',\n')}}
local i = 0
wrk.method = "POST"
wrk.headers["content-type"] = "application/octet-stream"
wrk.headers["x-api-key"] = "edge"
request = function() i = i % #bodies + 1; return wrk.format(nil, "/internal/v1/observations", nil, bodies[i]) end
done = function(summary)
  local e = summary.errors
  io.write(string.format('{"perSecond":%f,"errors":%d}\\n', summary.requests / summary.duration * 1e6,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`,
  )
  return script
}

async function oneWindow(server: Running, script: string): Promise<Spent> {
  const before = server.cpuSeconds()
  const address = `http://127.0.0.1:${server.port}`
  const wrk = ['-t1', `-c${CONNECTIONS}`, `-d${WINDOW_SECONDS}s`, '-s', script, address]
  const window = await generate<Window>('wrk', wrk)
  const requests = window.perSecond * WINDOW_SECONDS
  return { ...window, cpuMicros: ((server.cpuSeconds() - before) * 1e6) / requests }
}
