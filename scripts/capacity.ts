import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Benchmark results and assumptions. Repeat the benchmarks on your machines and change the file. */
export interface Figures {
  /** CPU of each part per decision with shared caps: `decisionCpuMicros` of `bench -- nodes`. */
  readonly decisionCpuMicros: {
    readonly api: number
    readonly postgres: number
    readonly redis: number
  }
  /** Factor on it in a Cluster, where each user needs a call. */
  readonly inCluster: { readonly api: number; readonly redis: number }
  /** `settledPerSecond` of `bench -- ingest`, and the cores of the machine it ran on. */
  readonly settled: { readonly perSecond: number; readonly cores: number }
  /** Impressions, views and clicks per decision. */
  readonly eventsPerDecision: number
  /** Highest average load of a core. */
  readonly busyShare: number
  /** Cores of the largest PostgreSQL. */
  readonly postgresCoresMax: number
}

export interface Step {
  readonly decisionsPerSecond: number
  readonly apiProcesses: number
  readonly redisNodes: number
  readonly recordCores: number
  readonly settlingCores: number
  /** Number of databases, each with its own advertisers. */
  readonly placards: number
  readonly bottleneck: string
}

const RATES = [10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000]

export const capacityOf = (figures: Figures): readonly Step[] =>
  RATES.map((rate) => stepAt(rate, figures))

function stepAt(rate: number, figures: Figures): Step {
  const {
    decisionCpuMicros: cpu,
    inCluster,
    settled,
    eventsPerDecision,
    postgresCoresMax,
  } = figures
  const coresFor = (micros: number) => (rate * micros) / 1e6 / figures.busyShare
  const settlingMicros = (settled.cores / settled.perSecond) * 1e6 * eventsPerDecision
  const recording = coresFor(cpu.postgres)
  const settling = coresFor(settlingMicros)
  const redis = coresFor(cpu.redis)
  const times = redis > 1 ? inCluster : { api: 1, redis: 1 }
  const placards = Math.ceil((recording + settling) / postgresCoresMax)
  return {
    decisionsPerSecond: rate,
    apiProcesses: Math.ceil(coresFor(cpu.api) * times.api),
    redisNodes: Math.ceil(redis * times.redis),
    recordCores: Math.ceil(recording),
    settlingCores: Math.ceil(settling),
    placards,
    bottleneck: bottleneckOf({ placards, redis }),
  }
}

function bottleneckOf({ placards, redis }: { placards: number; redis: number }): string {
  if (placards > 1) return 'one PostgreSQL: several Placards, each with its own advertisers'
  if (redis > 1) return 'one Redis, which has one core: a Cluster'
  return 'the api processes, which have a core each: add some'
}

const HEAD = [
  'decisions a second',
  'api processes',
  'Redis nodes',
  'PostgreSQL cores for records',
  'and for events',
  'Placards',
  'what gives out first, and what to do',
]

/** The table of the operator's guide. */
export function capacityTable(steps: readonly Step[]): string {
  const rows = steps.map(({ bottleneck, ...numbers }) => [
    ...Object.values(numbers).map((value) => value.toLocaleString('en')),
    bottleneck,
  ])
  return [HEAD, HEAD.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const FIGURES = path.join(import.meta.dirname, '../docs/reference/capacity.json')

export const readFigures = (): Figures => JSON.parse(readFileSync(FIGURES, 'utf8')) as Figures

if (import.meta.main) console.log(capacityTable(capacityOf(readFigures())))
