// Runs on the Node that npm uses. Installs what the other commands need, once.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPrograms } from './programs.mjs'

const root = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '..',
)
const command = process.argv[2] ?? 'start'
const NODE_MIN = 20

if (Number(process.versions.node.split('.')[0]) < NODE_MIN) {
  fail(`Placard needs Node ${NODE_MIN} or newer to install itself; this is ${process.version}.`)
}
installPackages()
if (command === 'test') requirePrograms(['redis-server', 'chromium'])
if (command !== 'check') await makePages()

function installPackages() {
  const stamp = path.join(root, 'node_modules', '.placard-installed')
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return

  say('Installing packages (once; about a minute)')
  const { status } = spawnSync('npm', ['install', '--no-save', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) fail('The packages could not be installed; is the npm registry within reach?')
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** Tests use the real Redis and a real browser, from the system's packages. */
function requirePrograms(names) {
  const missing = installPrograms(names, say)
  if (missing.length === 0) return
  fail(
    `The tests need ${missing.join(' and ')}: install with "apt-get install ${missing.join(' ')}".`,
  )
}

/** Imported late, because its packages may be missing before. */
async function makePages() {
  const { buildPages } = await import('./build-pages.mjs')
  try {
    buildPages({ say })
  } catch (error) {
    fail(error.message)
  }
}

function say(message) {
  process.stdout.write(`${message}\n`)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
