import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config.ts'
import { StartRefused } from './platform/problem.ts'

export interface Secrets {
  readonly jwtSecret: string
}

/** Secrets are given, or, in the demo, made once and kept beside the data. */
export async function readSecrets(config: Config): Promise<Secrets> {
  if (config.JWT_SECRET) return { jwtSecret: config.JWT_SECRET }

  const file = path.join(config.PLACARD_HOME, 'secrets.json')
  return (await readKept(file)) ?? (await makeAndKeep(file))
}

async function readKept(file: string): Promise<Secrets | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as Partial<Secrets>
    return kept.jwtSecret ? { jwtSecret: kept.jwtSecret } : undefined
  } catch {
    return undefined
  }
}

/** Written beside and renamed: a crash in between leaves the old file or none, never half of one. */
async function makeAndKeep(file: string): Promise<Secrets> {
  const secrets = { jwtSecret: randomBytes(48).toString('base64url') }
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(`${file}.new`, JSON.stringify(secrets), { mode: 0o600 })
    await rename(`${file}.new`, file)
    return secrets
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartRefused(
      `The folder ${path.dirname(file)} cannot be written (${code}); make it writable or set PLACARD_HOME to one that is.`,
    )
  }
}
