import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import { failureOf } from '../database/failure.ts'
import { Problem } from '../problem.ts'
import { findAnswer, saveAnswer } from './kept-answers.ts'
import { httpProblems } from './problems.ts'

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface CommandDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Runs a change in one transaction. With an `Idempotency-Key` the answer commits with the change: a
 * repeat gets the same answer, a duplicate in flight waits for the first, a crash leaves neither.
 */
export async function runCommand(
  { db, clock }: CommandDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: (db: Database) => Promise<Answer>,
): Promise<void> {
  const key = keyOf(request)
  const attempt = () =>
    db.transaction(async (db) => {
      if (!key) return work(db)

      const kept = await findAnswer(db, key)
      if (kept) return repeat(kept, key)
      const made = await work(db)
      await saveAnswer(db, { ...key, ...made, createdAt: clock.now() })
      return made
    })
  await send(reply, await attempt().catch(onceMore(attempt)))
}

/**
 * On a conflict PostgreSQL rolls one transaction back completely, so running it again is safe. Once
 * only: a second conflict means contention, and the caller is asked to wait.
 */
const onceMore =
  <Result>(attempt: () => Promise<Result>) =>
  (error: unknown): Promise<Result> => {
    if (failureOf(error) === 'conflict') return attempt()
    throw error
  }

interface Key {
  readonly caller: string
  readonly key: string
  readonly fingerprint: Buffer
}

function keyOf(request: FastifyRequest): Key | undefined {
  const { headers, method, url, body, principal, routeOptions } = request
  const key = headers['idempotency-key']
  if (key === undefined || method !== 'POST') return undefined
  if (routeOptions.config.answerIsSecret) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem(
      httpProblems.invalidRequest,
      'The Idempotency-Key is not 1 to 255 characters.',
    )
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest()
  return { caller: principal?.id ?? 'public', key, fingerprint }
}

function repeat(kept: Answer & { fingerprint: Buffer }, { fingerprint }: Key): Answer {
  if (kept.fingerprint.equals(fingerprint)) return kept
  throw new Problem(httpProblems.keyReused, 'Send a new key with a new request.')
}

function send(reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}
