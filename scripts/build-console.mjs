// Plain JavaScript: `setup.mjs` calls it on whatever Node npm runs on.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.resolve(here, '..')
const app = path.join(root, 'apps/console')
const stamp = path.join(app, 'dist/.built-from')

/** What goes into the console: when none of it has changed, what was built is good. */
const SOURCES = [
  'apps/console',
  'packages/contract/src',
  'packages/client/src',
  'packages/money/src',
]
const NOT_SOURCES = new Set(['dist', 'node_modules', 'journeys'])

/** Builds the console unless it is there and as its sources are. */
export function buildConsole({ say = () => {} } = {}) {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return

  say('Building the console (once; a few seconds)')
  const bin = path.join(root, 'node_modules/.bin')
  const { status, stderr } = spawnSync(path.join(bin, 'vite'), ['build', '--logLevel', 'error'], {
    cwd: app,
    env: { ...process.env, NODE_ENV: 'production', PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The console could not be built.\n${stderr}`)
  writeFileSync(stamp, wanted)
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesIn(path.join(root, source))) {
      hash.update(path.relative(root, file)).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.has(name) && !name.startsWith('.'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      return entry.isDirectory() ? filesIn(file) : [file]
    })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildConsole({ say: console.log })
