// Plain JavaScript, because `setup.mjs` runs it on the Node that npm uses.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.resolve(here, '..')

/** Programs for browsers. A build is reused as long as its sources do not change. */
const CONSOLE = {
  name: 'console',
  folder: 'apps/console',
  sources: ['apps/console', 'packages/contract/src', 'packages/client/src', 'packages/money/src'],
  command: ['vite', 'build', '--logLevel', 'error'],
}
const TAG = {
  name: 'tag',
  folder: 'packages/tag',
  sources: ['packages/tag'],
  command: ['node', 'build.ts'],
}
const NOT_SOURCES = new Set(['dist', 'node_modules', 'journeys', 'testing'])

/** Builds the tag and the console unless their builds are current. */
export function buildPages(options) {
  buildTag(options)
  build(CONSOLE, options)
}

export const buildTag = (options) => build(TAG, options)

function build({ name, folder, sources, command: [program, ...given] }, { say = () => {} } = {}) {
  const cwd = path.join(root, folder)
  const stamp = path.join(cwd, 'dist/.built-from')
  const wanted = fingerprint(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return

  say(`Building the ${name} (once; a few seconds)`)
  const bin = path.join(root, 'node_modules/.bin')
  const { status, stderr } = spawnSync(program, given, {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The ${name} could not be built.\n${stderr}`)
  writeFileSync(stamp, wanted)
}

function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
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

if (process.argv[1] === fileURLToPath(import.meta.url)) buildPages({ say: console.log })
