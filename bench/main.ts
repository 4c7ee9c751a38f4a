import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import path from 'node:path'

/** `npm run bench -- <name>`: measures one thing; words go to stderr, the figures are one last line of JSON. */
const BENCHES: Readonly<Record<string, () => Promise<object>>> = {
  catalogue: async () => (await import('./catalogue/catalogue.ts')).measureCatalogue(),
}

/** Programs of their own, because they want a process to themselves. */
const PROGRAMS: Readonly<Record<string, string>> = {
  serve: 'serve/main.ts',
  engine: 'engine/main.ts',
  live: 'live/main.ts',
  record: 'record/main.ts',
  ingest: 'ingest/main.ts',
  nodes: 'nodes/main.ts',
  bidding: 'bidding/main.ts',
  ctr: 'ctr/main.ts',
  geo: 'geo/main.ts',
  rollup: 'rollup/main.ts',
  contextual: 'contextual/main.ts',
  console: 'console/main.ts',
}

const [name = '', ...rest] = process.argv.slice(2)
const bench = BENCHES[name]
const program = PROGRAMS[name]
if (program) {
  const file = path.join(import.meta.dirname, program)
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
    `There is no benchmark ${name ? `"${name}"` : 'without a name'}. There is: ${known}.`,
  )
  process.exitCode = 1
}
