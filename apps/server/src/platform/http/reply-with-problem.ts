import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type Fault, type ProblemKind } from '../problem.ts'
import { httpProblems } from './problems.ts'

/** The one place where an error becomes a response, in the form of RFC 9457. */
export function replyWithProblem(
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const kind = kindOf(error)
  if (kind.status >= 500) request.log.error({ err: error, reqId: request.id }, 'request failed')

  const faults = faultsOf(error)
  return reply
    .code(kind.status)
    .type('application/problem+json')
    .send({
      type: `/problems/${kind.code}`,
      code: kind.code,
      title: kind.title,
      status: kind.status,
      ...(kind.status !== 500 && { detail: detailOf(error, faults) }),
      ...(faults.length > 0 && { faults }),
      instance: request.id,
    })
}

function kindOf(error: FastifyError | Problem): ProblemKind {
  if (error instanceof Problem) return error.kind
  if (error.validation) return httpProblems.invalidRequest
  if (isDatabaseAway(error)) return httpProblems.unavailable

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

function detailOf(error: Error, faults: readonly Fault[]): string {
  if (faults.length === 0) return error.message
  return faults.map(({ path, message }) => `${path} ${message}`).join('; ')
}

const CONNECTION_FAILURES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', '57P01', '57P03'])

/** With PostgreSQL away managing stops, politely; decisions and tracking have ways of their own. */
function isDatabaseAway(error: unknown): boolean {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown }
  if (code && CONNECTION_FAILURES.has(code)) return true
  if (message && /Connection terminated|timeout exceeded when trying to connect/.test(message)) {
    return true
  }
  return cause instanceof Error && isDatabaseAway(cause)
}
