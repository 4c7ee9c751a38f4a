import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Node 20 is the oldest with everything the client calls. */
const NODE_MIN = 20

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Compiles the client to JavaScript with types and packs it for `npm install` in other programs. */
export function packClient(folder: string): string {
  const here = import.meta.dirname
  const dist = path.join(here, 'dist')
  rmSync(dist, { recursive: true, force: true })
  run('tsc', ['-p', path.join(here, 'tsconfig.build.json')], here)
  nameBuiltFiles(dist)
  const manifest = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8')) as Manifest
  writeFileSync(path.join(dist, 'package.json'), JSON.stringify(published(manifest), undefined, 2))
  cpSync(path.join(here, 'README.md'), path.join(dist, 'README.md'))
  const printed = run('npm', ['pack', '--silent', '--pack-destination', folder], dist)
  return path.join(folder, printed.trim())
}

/** The compiler rewrites the imports of modules, not those of declarations. */
function nameBuiltFiles(dist: string): void {
  for (const name of globSync('**/*.d.ts', { cwd: dist })) {
    const file = path.join(dist, name)
    const text = readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")
    writeFileSync(file, text)
  }
}

/** The workspace's package.json names sources. This one names the built files. */
const published = ({ name, version, description, dependencies }: Manifest) => ({
  name,
  version,
  description,
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: `>=${NODE_MIN}` },
  sideEffects: false,
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './observations': { types: './observations.d.ts', default: './observations.js' },
  },
  dependencies,
})

function run(command: string, given: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, given, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`)
  return stdout
}

if (import.meta.main) {
  const file = packClient(path.resolve(process.argv[2] ?? '.'))
  process.stdout.write(`${file}\n`)
}
