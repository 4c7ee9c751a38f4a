import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config.ts'
import { StartRefused } from '../platform/problem.ts'

export interface Secrets {
  readonly jwtSecret: string
  readonly userKeySecret: string
  readonly encryptionSecret: string
  /** A key ring: the first key seals tracking links, the others only open them. */
  readonly trackingKeys: string
}

/** Where each is given. */
const SETTINGS = {
  jwtSecret: 'JWT_SECRET',
  userKeySecret: 'USER_KEY_SECRET',
  encryptionSecret: 'ENCRYPTION_SECRET',
  trackingKeys: 'TRACKING_KEYS',
} as const satisfies Record<keyof Secrets, keyof Config>
const NAMES = Object.keys(SETTINGS) as (keyof Secrets)[]

/** Secrets are given, or, in the demo, made once and kept beside the data. */
export async function readSecrets(config: Config): Promise<Secrets> {
  const given = pick((name) => config[SETTINGS[name]])
  if (isWhole(given)) return given

  const file = path.join(config.PLACARD_HOME, 'secrets.json')
  const kept = await readKept(file)
  const made = pick((name) => kept[name] ?? make(name)) as Secrets
  if (!isWhole(kept)) await keep(file, made)
  return { ...made, ...given }
}

function make(name: keyof Secrets): string {
  const secret = randomBytes(48).toString('base64url')
  return name === 'trackingKeys' ? `1:${secret}` : secret
}

function pick(secretOf: (name: keyof Secrets) => string | undefined): Partial<Secrets> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const secret = secretOf(name)
      return secret ? [[name, secret]] : []
    }),
  )
}

const isWhole = (secrets: Partial<Secrets>): secrets is Secrets =>
  NAMES.every((name) => secrets[name])

async function readKept(file: string): Promise<Partial<Secrets>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Secrets>
  } catch {
    return {}
  }
}

/** Written beside and renamed: a crash in between leaves the old file or none, never half of one. */
async function keep(file: string, secrets: Secrets): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 })
    await rename(`${file}.new`, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartRefused(
      `The folder ${path.dirname(file)} cannot be written (${code}); make it writable or set PLACARD_HOME to one that is.`,
    )
  }
}
