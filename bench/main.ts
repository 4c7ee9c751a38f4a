import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import path from 'node:path'
import { installPrograms } from '../scripts/programs.mjs'

/** `npm run bench -- <name>`: progress goes to stderr, the figures are one last line of JSON on stdout. */
const BENCHES: Readonly<Record<string, () => Promise<object>>> = {
  catalogue: async () => (await import('./catalogue/catalogue.ts')).measureCatalogue(),
}

interface Program {
  readonly file: string
  /** System programs that it starts. */
  readonly needs?: readonly string[]
}

/** Benches that need a process of their own. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  serve: { file: 'serve/main.ts', needs: ['wrk', 'taskset'] },
  engine: { file: 'engine/main.ts' },
  live: { file: 'live/main.ts' },
  record: { file: 'record/main.ts' },
  doors: { file: 'doors/main.ts', needs: ['wrk', 'taskset'] },
  ingest: { file: 'ingest/main.ts', needs: ['wrk', 'taskset'] },
  nodes: { file: 'nodes/main.ts', needs: ['wrk', 'taskset', 'redis-server'] },
  bidding: { file: 'bidding/main.ts' },
  ctr: { file: 'ctr/main.ts' },
  geo: { file: 'geo/main.ts', needs: ['wrk', 'taskset'] },
  rollup: { file: 'rollup/main.ts' },
  contextual: { file: 'contextual/main.ts' },
  console: { file: 'console/main.ts', needs: ['chromium'] },
}

const [name = '', ...rest] = process.argv.slice(2)
const bench = BENCHES[name]
const program = PROGRAMS[name]
const missing = installPrograms(program?.needs ?? [], console.error)
if (missing.length > 0) {
  console.error(
    `The benchmark ${name} needs ${missing.join(' and ')}: install with "apt-get install ${missing.map(packageOf).join(' ')}".`,
  )
  process.exitCode = 1
} else if (program) {
  const file = path.join(import.meta.dirname, program.file)
  const { status } = spawnSync(process.execPath, ['--expose-gc', file, ...rest], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} else if (bench) {
  const figures = await bench()
  console.log(JSON.stringify({ ...figures, loadAverage: loadavg()[0] }))
} else {
  const known = [...Object.keys(BENCHES), ...Object.keys(PROGRAMS)].join(', ')
  console.error(
    `${name ? `There is no benchmark "${name}"` : 'Name a benchmark'}. Known benchmarks: ${known}.`,
  )
  process.exitCode = 1
}

/** All other programs have the name of their package. */
function packageOf(program: string): string {
  return program === 'taskset' ? 'util-linux' : program
}
