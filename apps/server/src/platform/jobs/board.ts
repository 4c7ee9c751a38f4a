import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BOARD_ACCESS, BOARD_PREFIX, type Identify } from '../http/access.ts'
import type { Principal } from '../http/principal.ts'
import { httpProblems } from '../http/problems.ts'
import { replyWithProblem } from '../http/reply-with-problem.ts'
import { Problem } from '../problem.ts'
import type { Queues } from './bullmq/queues.ts'

/** Loads nothing from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Bull Board over our queues, read-only: changes go through our own routes, which know dedupe keys and
 * write the audit log.
 */
export async function addQueueBoard(
  http: FastifyInstance,
  { queues, identify }: { readonly queues: Queues; readonly identify: Identify },
): Promise<void> {
  const serverAdapter = new FastifyAdapter().setBasePath(BOARD_PREFIX)
  createBullBoard({
    serverAdapter,
    queues: [...queues.byName.values()].map(
      (queue) => new BullMQAdapter(queue, { readOnlyMode: true }),
    ),
  })
  await http.register(async (scoped) => {
    scoped.addHook('onRequest', async (request, reply) => {
      void reply.header('content-security-policy', POLICY)
      const refusal = await judge(request, identify)
      if (!refusal) return undefined
      if (refusal.kind.status === 401) void reply.header('www-authenticate', ASK)
      return refuse(refusal, request, reply)
    })
    await scoped.register(serverAdapter.registerPlugin(), { prefix: BOARD_PREFIX })
  })
}

/** Shown by browsers above the two fields. */
const ASK = 'Basic realm="Queues of Placard: any name, and an API key as password", charset="UTF-8"'

/** The board's own error handler would report every refusal as a server error. */
const refuse = (problem: Problem, request: FastifyRequest, reply: FastifyReply) =>
  replyWithProblem(problem, request, reply)

/** Undefined: may look. Pages cannot send our headers, so the browser's own password dialog must do. */
async function judge(request: FastifyRequest, identify: Identify): Promise<Problem | undefined> {
  if (request.method !== 'GET') {
    return new Problem(httpProblems.forbidden, 'The board is read-only.')
  }
  try {
    request.principal ??= await identifyBasic(request, identify)
    request.refusal = undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  if (!request.principal) {
    return new Problem(httpProblems.unauthenticated, 'Send an API key as password.')
  }
  if (request.principal.permissions.has(BOARD_ACCESS)) return undefined
  return new Problem(httpProblems.forbidden, `This needs the permission ${BOARD_ACCESS}.`)
}

async function identifyBasic(
  { headers }: FastifyRequest,
  identify: Identify,
): Promise<Principal | undefined> {
  const given = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (given === undefined) return undefined
  const text = Buffer.from(given, 'base64').toString()
  return identify({ headers: { 'x-api-key': text.slice(text.indexOf(':') + 1) } })
}
