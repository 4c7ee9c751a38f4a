import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './imports.ts'

export interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export interface Lockfile {
  packages: Record<string, Locked>
  readonly [field: string]: unknown
}

export const LOCKFILE = path.join(ROOT, 'package-lock.json')

export const readLockfile = () => JSON.parse(readFileSync(LOCKFILE, 'utf8')) as Lockfile

export interface Missing {
  readonly name: string
  readonly version: string
  /** Whether only development needs the package that asks for it. */
  readonly isDev: boolean
}

/** Optional packages, each for one platform, that `npm ci` expects in the lockfile whatever it runs on. */
export function missingIn({ packages }: Lockfile): Missing[] {
  const missing = new Map<string, Missing>()
  for (const [place, { optionalDependencies = {}, dev = false }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isFound(packages, place, name)) continue
      missing.set(name, { name, version: version.replace(/^[\^~]/, ''), isDev: dev })
    }
  }
  return [...missing.values()]
}

/** As Node looks for a package: in the folder that asks, then in each above. */
function isFound(packages: Lockfile['packages'], place: string, name: string): boolean {
  const own = place === '' ? '' : `${place}/`
  if (packages[`${own}node_modules/${name}`]) return true
  if (place === '') return false
  return isFound(packages, place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name)
}
