import { PATTERN_WORDS } from '@placard/contract/shared'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isTransient } from '../database/failure.ts'
import { Problem, type Fault, type ProblemKind } from '../problem.ts'
import { httpProblems } from './problems.ts'

const RETRY_SECONDS = 1

/** The one place where errors become responses, in the form of RFC 9457. */
export function replyWithProblem(
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { status, headers, body } = problemReply(error, request.id)
  if (status >= 500) request.log.error({ err: error, reqId: request.id }, 'request failed')
  for (let at = 0; at < headers.length; at += 2) void reply.header(headers[at]!, headers[at + 1])
  return reply.code(status).send(body)
}

/** Status, headers (name, value, name, value) and body. */
export function problemReply(error: Error & Partial<FastifyError>, id: string) {
  const kind = kindOf(error)
  const faults = faultsOf(error)
  return {
    status: kind.status,
    headers: [
      'content-type',
      'application/problem+json; charset=utf-8',
      ...retryAfter(error, kind),
    ],
    body: {
      type: `/problems/${kind.code}`,
      code: kind.code,
      title: kind.title,
      status: kind.status,
      ...detailOf(error, kind, faults),
      ...(faults.length > 0 && { faults }),
      instance: id,
    },
  }
}

function retryAfter(error: Error, kind: ProblemKind): string[] {
  const given = error instanceof Problem ? error.retryAfterSeconds : undefined
  const seconds = given ?? (kind === httpProblems.unavailable ? RETRY_SECONDS : undefined)
  return seconds === undefined ? [] : ['retry-after', String(seconds)]
}

function kindOf(error: Error & Partial<FastifyError>): ProblemKind {
  if (error instanceof Problem) return error.kind
  if (error.validation) return httpProblems.invalidRequest
  // Management stops until PostgreSQL is back; decisions and tracking have their own handling.
  if (isTransient(error)) return httpProblems.unavailable

  const status = error.statusCode ?? 500
  if (status === 429) return httpProblems.tooManyRequests
  return status < 500 ? { ...httpProblems.requestRefused, status } : httpProblems.internalError
}

function faultsOf(error: Error & Partial<FastifyError>): readonly Fault[] {
  if (error instanceof Problem) return error.faults
  return faultsOfValidation(error.validation ?? [], error.validationContext ?? 'request')
}

/** What a validator found, in words. `part` of the request begins each path. */
export const faultsOfValidation = (
  faults: readonly ValidationFault[],
  part = '',
): readonly Fault[] =>
  telling(faults).map((fault) => ({ path: pathOf(part, fault), message: messageOf(fault) }))

/** For a nullable value, keeps the value's own fault and drops "must be null". */
function telling(faults: readonly ValidationFault[]): readonly ValidationFault[] {
  const isNoise = ({ keyword, params }: ValidationFault) =>
    keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')
  const given = new Set(faults.filter((one) => !isNoise(one)).map((one) => one.instancePath))
  return faults.filter((one) => !isNoise(one) || !given.has(one.instancePath))
}

type ValidationFault = NonNullable<FastifyError['validation']>[number]

function pathOf(part: string, { instancePath, params }: ValidationFault): string {
  const extra = params.additionalProperty ?? params.missingProperty
  const inside = typeof extra === 'string' ? `${instancePath}/${extra}` : instancePath
  return `${part}${inside}`
}

function messageOf({ keyword, message, params }: ValidationFault): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${String(params.allowedValues)}`
  if (keyword === 'pattern') return PATTERN_WORDS[String(params.pattern)] ?? message!
  return message ?? 'is not valid'
}

/** Errors of ours are for the log only: their message may hold a query with a user's data. */
function detailOf(error: Error, kind: ProblemKind, faults: readonly Fault[]): { detail?: string } {
  if (kind === httpProblems.unavailable) return { detail: 'Try again in a moment.' }
  if (kind.status === 500) return {}
  if (faults.length === 0) return { detail: error.message }
  return { detail: faults.map(({ path, message }) => `${path} ${message}`).join('; ') }
}
