import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { median, rounded } from '../scratch.ts'
import type { OpenLoop } from './load.ts'
import { startWitness } from './processes.ts'

/** One second of the server's core, as the witness on it saw it. */
interface Sight {
  readonly endMs: number
  readonly paceMicros: number
  readonly lateMs: number
}

const SECOND_MS = 1_000
/** Half of the 5 ms that an answer may take. */
const LATE_MS = 2.5
/** A core this much slower makes 70 % of its capacity 80 %. */
const SLOWER = 1.15
const ENOUGH_SECONDS = 15

/** What was answered in a window, and how fast the core was while the capacity was measured that it is a part of. */
export interface Window {
  readonly answers: OpenLoop
  readonly paceMicros: number
}

/**
 * These machines are shared: a neighbour takes their cores away for 10 ms, or makes them slower by half
 * for seconds. Those seconds, and the one after each, tell nothing of the server: they are left out, as long as enough
 * are left. A server that stands still by itself is late in seconds in which the witness is not.
 */
export class Machine {
  private readonly sights: Sight[] = []
  private readonly witness: ChildProcess | undefined

  constructor() {
    this.witness = startWitness(path.join(import.meta.dirname, 'witness.ts'))
    if (!this.witness?.stdout) return
    const lines = createInterface({ input: this.witness.stdout })
    lines.on('line', (line) => this.sights.push(JSON.parse(line) as Sight))
  }

  async paceDuring<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
    const from = this.sights.length
    const result = await work()
    return [result, median(this.sights.slice(from).map(({ paceMicros }) => paceMicros))]
  }

  /** The 99th percentile of the windows' steady seconds together, or of all where too few were. */
  p99(windows: readonly Window[]) {
    const seconds = windows.flatMap((window) => this.secondsOf(window))
    const steady = seconds.filter(({ isSteady }) => isSteady)
    const isEnough = steady.length >= ENOUGH_SECONDS
    const counts = (isEnough ? steady : seconds).flatMap(({ tenths }) => tenths)
    const steadyShare = rounded(steady.length / seconds.length, 2)
    return { p99Ms: p99Of(counts), isEnough, steadyShare }
  }

  stop(): void {
    this.witness?.kill()
  }

  private secondsOf({ answers, paceMicros }: Window) {
    return answers.tenthsBySecond.map((tenths, second) => {
      const startMs = answers.startedAt + second * SECOND_MS
      return { tenths, isSteady: this.wasSteady(startMs, paceMicros) }
    })
  }

  /** In the second that starts then, and in the one before it, of which a queue may be left. */
  private wasSteady(startMs: number, paceMicros: number): boolean {
    const seen = this.sights.filter(
      ({ endMs }) => endMs > startMs - SECOND_MS && endMs - SECOND_MS < startMs + SECOND_MS,
    )
    return (
      seen.length > 0 &&
      seen.every((sight) => sight.lateMs < LATE_MS && sight.paceMicros < paceMicros * SLOWER)
    )
  }
}

/** Of pairs of tenths of a millisecond and how many answers took that long. */
function p99Of(counts: readonly (readonly [number, number])[]): number {
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  let above = total * 0.01
  for (const [tenths, count] of counts.toSorted(([a], [b]) => b - a)) {
    above -= count
    if (above < 0) return tenths / 10
  }
  return 0
}
