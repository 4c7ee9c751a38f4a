import { median, rounded } from '../scratch.ts'
import type { OpenLoop } from './load.ts'
import type { Subject } from './subject.ts'
import { until } from '../../apps/server/src/testing/until.ts'

const CHANGES_PER_SECOND = 1_000
const BATCH = 50
const WARM_UP_PAIRS = 2
const PAIRS = 9

interface Setting {
  readonly subject: Subject
  /** Measures the server's current capacity, and returns a generator that offers half of it. */
  halfLoad(): Promise<() => Promise<OpenLoop>>
}

/** How soon a change is visible, and the effect of 1,000 changes per second on latency. */
export async function measureChanges({ subject, halfLoad }: Setting) {
  const visible: number[] = []
  for (let time = 0; time < 11; time++) visible.push(await timeToVisible(subject))

  const pairs: Pair[] = []
  while (pairs.length < WARM_UP_PAIRS + PAIRS) {
    pairs.push(await onePair(subject, await halfLoad(), pairs.length % 2 === 0))
  }
  // Compile the code that applies changes first.
  const counted = pairs.slice(WARM_UP_PAIRS)
  return {
    changeVisibleMs: Math.round(Math.max(...visible)),
    changeVisibleMedianMs: Math.round(median(visible)),
    p99UnderChangesRatio: rounded(middleRatio(counted, 'p99Ms'), 2),
    cpuUnderChangesRatio: rounded(middleRatio(counted, 'cpuMicros'), 2),
    p99MsResting: counted.map(({ resting }) => rounded(resting.p99Ms)),
    p99MsChanging: counted.map(({ changing }) => rounded(changing.p99Ms)),
  }
}

const middleRatio = (pairs: readonly Pair[], what: keyof Window) =>
  median(pairs.map(({ resting, changing }) => changing[what] / resting[what]))

/** A window without changes, and one with 1,000 per second. */
interface Pair {
  readonly resting: Window
  readonly changing: Window
}

interface Window {
  readonly p99Ms: number
  /** Processor time of the server per answer, which other load on the machine hardly affects. */
  readonly cpuMicros: number
}

/** Alternates which of the two comes first, so that a machine that gets slower or faster favours neither. */
async function onePair(
  subject: Subject,
  offer: () => Promise<OpenLoop>,
  isRestFirst: boolean,
): Promise<Pair> {
  const rest = async (): Promise<Window> => {
    const before = subject.cpuSeconds()
    const { p99Ms, offered } = await offer()
    return { p99Ms, cpuMicros: ((subject.cpuSeconds() - before) * 1e6) / offered }
  }
  const change = async () => {
    const changes = keepChanging(subject)
    const window = await rest()
    await changes.stop()
    return window
  }
  if (isRestFirst) {
    const resting = await rest()
    return { resting, changing: await change() }
  }
  const changing = await change()
  return { resting: await rest(), changing }
}

/** Pauses the placement, waits until its slug is not found, and resumes it. */
async function timeToVisible({ database, port, placements }: Subject): Promise<number> {
  const slug = placements.at(-1)!
  const set = (isActive: boolean) =>
    database.pool.query('update placements set is_active = $1 where slug = $2', [isActive, slug])
  const isServed = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/banners/serve/${slug}`)
    await response.arrayBuffer()
    return response.status !== 404
  }

  await set(false)
  const startMs = performance.now()
  await until('the paused placement is gone', async () => !(await isServed()), WAIT)
  const tookMs = performance.now() - startMs
  await set(true)
  await until('the placement is back', isServed, WAIT)
  return tookMs
}

const WAIT = { pauseMs: 2 }

function keepChanging({ database }: Subject): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const run = async () => {
    let batch = 0
    const startMs = performance.now()
    while (!stopping.signal.aborted) {
      await database.pool.query(
        'update ads set bid_micros = bid_micros + (case when $1 % 2 = 0 then 1000 else -1000 end) where id % 200 = $1 % 200 and id <= $2',
        [batch, BATCH * 200],
      )
      batch++
      const dueMs = startMs + (batch * BATCH * 1_000) / CHANGES_PER_SECOND
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
