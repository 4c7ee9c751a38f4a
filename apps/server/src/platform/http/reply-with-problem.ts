import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../database/failure.ts'
import { Problem, type Fault, type ProblemKind } from '../problem.ts'
import { httpProblems } from './problems.ts'

const RETRY_SECONDS = 1

/** The one place where an error becomes a response, in the form of RFC 9457. */
export function replyWithProblem(
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const kind = kindOf(error)
  if (kind.status >= 500) request.log.error({ err: error, reqId: request.id }, 'request failed')
  if (kind === httpProblems.unavailable) reply.header('retry-after', RETRY_SECONDS)

  const faults = faultsOf(error)
  return reply
    .code(kind.status)
    .type('application/problem+json')
    .send({
      type: `/problems/${kind.code}`,
      code: kind.code,
      title: kind.title,
      status: kind.status,
      ...detailOf(error, kind, faults),
      ...(faults.length > 0 && { faults }),
      instance: request.id,
    })
}

function kindOf(error: FastifyError | Problem): ProblemKind {
  if (error instanceof Problem) return error.kind
  if (error.validation) return httpProblems.invalidRequest
  // Decisions and tracking have ways of their own; managing stops, politely, until it is back.
  if (failureOf(error)) return httpProblems.unavailable

  const status = error.statusCode ?? 500
  if (status === 429) return httpProblems.tooManyRequests
  return status < 500 ? { ...httpProblems.requestRefused, status } : httpProblems.internalError
}

function faultsOf(error: FastifyError | Problem): readonly Fault[] {
  if (error instanceof Problem) return error.faults
  return (error.validation ?? []).map((fault) => ({
    path: pathOf(error.validationContext, fault),
    message: messageOf(fault),
  }))
}

type ValidationFault = NonNullable<FastifyError['validation']>[number]

function pathOf(part: string | undefined, { instancePath, params }: ValidationFault): string {
  const extra = params.additionalProperty ?? params.missingProperty
  const inside = typeof extra === 'string' ? `${instancePath}/${extra}` : instancePath
  return `${part ?? 'request'}${inside}`
}

function messageOf({ keyword, message, params }: ValidationFault): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${String(params.allowedValues)}`
  return message ?? 'is not valid'
}

/** What failed on our side is for the log: its message may hold a query with somebody's data. */
function detailOf(error: Error, kind: ProblemKind, faults: readonly Fault[]): { detail?: string } {
  if (kind === httpProblems.unavailable) return { detail: 'Try again in a moment.' }
  if (kind.status === 500) return {}
  if (faults.length === 0) return { detail: error.message }
  return { detail: faults.map(({ path, message }) => `${path} ${message}`).join('; ') }
}
