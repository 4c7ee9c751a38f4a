import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** `npm run test:quick -- <capability>`: the tests of one capability, platform part, package or app. */
const ROOT = path.join(import.meta.dirname, '..')
const HOMES = [
  'apps/server/src/capabilities',
  'apps/server/src/platform',
  'apps/server/src',
  'apps',
  'packages',
  'simulation',
]

const [name, ...rest] = process.argv.slice(2)
const folders = HOMES.map((home) => `${home}/${name}`).filter(
  (folder) => name !== undefined && existsSync(path.join(ROOT, folder)),
)
if (folders.length === 0) {
  const known = HOMES.flatMap((home) =>
    readdirSync(path.join(ROOT, home), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name),
  )
  console.error(`Name one of: ${[...new Set(known)].toSorted().join(', ')}.`)
  process.exit(1)
}
const filters = folders.map((folder) => `${folder}/`)
const { status } = spawnSync('vitest', ['run', ...filters, ...rest], { stdio: 'inherit' })
process.exit(status ?? 1)
