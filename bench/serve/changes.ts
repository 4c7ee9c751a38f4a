import { CALM_MS, untilCalm } from './calm.ts'
import { median, round } from './load.ts'
import type { Subject } from './subject.ts'

interface Latency {
  readonly p99Ms: number
}

/** The 99th percentile with and without changes, one after the other. */
interface Pair {
  readonly restingMs: number
  readonly changingMs: number
}

const CHANGES_PER_SECOND = 1_000
const BATCH = 50
const PAIRS = 3
const PAIRS_MAX = 8

/** How soon a change is seen, and what a thousand a second do to latency. */
export async function measureChanges(subject: Subject, load: () => Promise<Latency>) {
  const visible: number[] = []
  for (let time = 0; time < 11; time++) visible.push(await timeToVisible(subject))
  visible.sort((a, b) => a - b)

  const { rounds, counted } = await untilCalm({
    least: PAIRS,
    most: PAIRS_MAX,
    isCalm: ({ restingMs }) => restingMs < CALM_MS,
    take: async (): Promise<Pair> => {
      const restingMs = (await load()).p99Ms
      const changing = keepChanging(subject)
      const changingMs = (await load()).p99Ms
      await changing.stop()
      return { restingMs, changingMs }
    },
  })
  return {
    changeVisibleMs: Math.round(visible.at(-1)!),
    changeVisibleMedianMs: Math.round(visible[5]!),
    p99UnderChangesRatio: round(
      median(p99s(counted, 'changingMs')) / median(p99s(counted, 'restingMs')),
    ),
    p99MsChanging: p99s(rounds, 'changingMs'),
    p99MsResting: p99s(rounds, 'restingMs'),
  }
}

const p99s = (pairs: readonly Pair[], part: keyof Pair) => pairs.map((pair) => round(pair[part]))

/** Pauses the placement and waits until its slug is gone, then brings it back. */
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
  while (await isServed()) await tick()
  const tookMs = performance.now() - startMs
  await set(true)
  while (!(await isServed())) await tick()
  return tookMs
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 2))

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
