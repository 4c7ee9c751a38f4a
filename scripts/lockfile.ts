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
  /** Only development needs the package that requires it. */
  readonly isDev: boolean
}

/** Optional packages for one platform each, which `npm ci` expects in the lockfile on every platform. */
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

/** Finds a package like Node: in the importing folder, then in each folder above. */
function isFound(packages: Lockfile['packages'], place: string, name: string): boolean {
  const own = place === '' ? '' : `${place}/`
  if (packages[`${own}node_modules/${name}`]) return true
  if (place === '') return false
  return isFound(packages, place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name)
}
