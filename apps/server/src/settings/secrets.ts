import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config.ts'
import { guessesLog10 } from '../platform/guesses.ts'
import { StartRefused } from '../platform/problem.ts'

export interface Secrets {
  readonly jwtSecret: string
  readonly userKeySecret: string
  readonly encryptionSecret: string
  /** A key ring: the first key encrypts tracking links, all of them decrypt. */
  readonly trackingKeys: string
  /** During a rotation: the next or previous secret, also accepted. */
  readonly otherJwtSecret?: string | undefined
  readonly otherEncryptionSecret?: string | undefined
}

type Wanted = Omit<Secrets, 'otherJwtSecret' | 'otherEncryptionSecret'>

/** The setting that gives each secret. */
const SETTINGS = {
  jwtSecret: 'JWT_SECRET',
  userKeySecret: 'USER_KEY_SECRET',
  encryptionSecret: 'ENCRYPTION_SECRET',
  trackingKeys: 'TRACKING_KEYS',
} as const satisfies Record<keyof Wanted, keyof Config>
const NAMES = Object.keys(SETTINGS) as (keyof Wanted)[]

/** Secrets come from settings. The demo generates them once and keeps them under PLACARD_HOME. */
export async function readSecrets(config: Config): Promise<Secrets> {
  const { JWT_SECRET_OTHER: otherJwtSecret, ENCRYPTION_SECRET_OTHER: otherEncryptionSecret } =
    config
  const others = {
    ...(otherJwtSecret && { otherJwtSecret }),
    ...(otherEncryptionSecret && { otherEncryptionSecret }),
  }
  const given = pick((name) => config[SETTINGS[name]])
  if (config.PLACARD_MODE === 'production') await refuseGuessable(config)
  if (isWhole(given)) return { ...given, ...others }

  const file = path.join(config.PLACARD_HOME, 'secrets.json')
  const kept = await readKept(file)
  const made = pick((name) => kept[name] ?? make(name)) as Wanted
  if (!isWhole(kept)) await keep(file, made)
  return { ...made, ...given, ...others }
}

/** About 53 random bits. */
const GUESSES_LOG10_MIN = 16

/** The same letter 32 times is long, but no secret. */
async function refuseGuessable(config: Config): Promise<void> {
  const names = [...Object.values(SETTINGS), 'JWT_SECRET_OTHER', 'ENCRYPTION_SECRET_OTHER'] as const
  const weak: string[] = []
  for (const name of names) {
    const secrets = secretsIn(name, config[name] ?? '')
    const guesses = await Promise.all(secrets.map((secret) => guessesLog10(secret)))
    if (guesses.some((log10) => log10 < GUESSES_LOG10_MIN)) weak.push(name)
  }
  if (weak.length === 0) return
  throw new StartRefused(
    `${weak.join(', ')}: too easy to guess; make each one with "openssl rand -base64 48".`,
  )
}

function secretsIn(name: keyof Config, value: string): string[] {
  if (value === '') return []
  if (name !== 'TRACKING_KEYS') return [value]
  return value.split(/[\s,]+/).map((one) => one.slice(one.indexOf(':') + 1))
}

function make(name: keyof Wanted): string {
  const secret = randomBytes(48).toString('base64url')
  return name === 'trackingKeys' ? `1:${secret}` : secret
}

function pick(secretOf: (name: keyof Wanted) => string | undefined): Partial<Wanted> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const secret = secretOf(name)
      return secret ? [[name, secret]] : []
    }),
  )
}

const isWhole = (secrets: Partial<Wanted>): secrets is Wanted =>
  NAMES.every((name) => secrets[name])

async function readKept(file: string): Promise<Partial<Wanted>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Wanted>
  } catch {
    return {}
  }
}

/** Written to a temporary file and renamed: a crash leaves the old file or none, never half of one. */
async function keep(file: string, secrets: Wanted): Promise<void> {
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
