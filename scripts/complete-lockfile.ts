import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type Locked, LOCKFILE, type Missing, missingIn, readLockfile } from './lockfile.ts'

/**
 * `npm run complete-lockfile`: adds packages for other platforms that npm left out because the current
 * registry lacks them. Such an entry has no checksum. A machine of that platform gets it from its own
 * registry, and every other machine skips it.
 */
const lockfile = readLockfile()
for (const missing of missingIn(lockfile)) {
  lockfile.packages[`node_modules/${missing.name}`] = entryOf(missing)
  console.log(`${missing.name} ${missing.version}`)
}
const sorted = Object.entries(lockfile.packages).toSorted(([one], [other]) =>
  one.localeCompare(other, 'en'),
)
lockfile.packages = Object.fromEntries(sorted)
writeFileSync(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`)

function entryOf({ name, version, isDev }: Missing): Locked {
  const exact = view(`${name}@${version}`)
  const { os, cpu, libc, license, engines } = exact ?? view(name) ?? {}
  if (!os && !cpu) throw new Error(`The registry does not say which platform ${name} is for.`)
  return {
    version,
    ...(exact && { integrity: exact['dist.integrity'] }),
    ...(cpu && { cpu }),
    ...(isDev && { dev: true }),
    ...(libc && { libc }),
    license,
    optional: true,
    ...(os && { os }),
    ...(engines && { engines }),
  }
}

interface Published {
  readonly 'dist.integrity': string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly license?: string
  readonly engines?: object
}

function view(name: string): Published | undefined {
  const fields = ['dist.integrity', 'os', 'cpu', 'libc', 'license', 'engines']
  const { status, stdout } = spawnSync('npm', ['view', name, ...fields, '--json'], {
    encoding: 'utf8',
  })
  return status === 0 && stdout ? (JSON.parse(stdout) as Published) : undefined
}
