/**
 * What an error of PostgreSQL or its driver means for the caller.
 *
 * | failure       | meaning                                                | what to do            |
 * | ------------- | ------------------------------------------------------ | --------------------- |
 * | `unavailable` | no connection, or the server takes no more             | wait until it is back |
 * | `busy`        | the statement waited or ran longer than allowed        | try again, later      |
 * | `conflict`    | another transaction was in the way; all rolled back    | try again, at once    |
 * | `rejected`    | the data does not fit and never will                   | do not try again      |
 */
export type DatabaseFailure = 'unavailable' | 'busy' | 'conflict' | 'rejected'

const BY_CODE: Readonly<Record<string, DatabaseFailure>> = {
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EPIPE: 'unavailable',
  ENOTFOUND: 'unavailable',
  ETIMEDOUT: 'unavailable',
  '57P01': 'unavailable', // admin_shutdown
  '57P02': 'unavailable', // crash_shutdown
  '57P03': 'unavailable', // cannot_connect_now
  '25P03': 'unavailable', // idle_in_transaction_session_timeout
  '53300': 'unavailable', // too_many_connections
  '53200': 'unavailable', // out_of_memory
  '55P03': 'busy', // lock_not_available
  '57014': 'busy', // query_canceled: the statement ran into its timeout
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
}

/** Class 22: data; 23: constraints; 54: limits such as the size of an index row. */
const REJECTED = /^(?:22|23|54)[0-9A-Z]{3}$/

/** Driver errors without a code. */
const LOST =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error/

export const UNIQUE_VIOLATION = '23505'
export const CHECK_VIOLATION = '23514'

interface CodedError {
  readonly code?: unknown
  readonly message?: unknown
  readonly cause?: unknown
}

const isObject = (value: unknown): value is CodedError =>
  typeof value === 'object' && value !== null

/** Undefined if the error says nothing about database or data; usually a bug of ours. */
export function failureOf(error: unknown): DatabaseFailure | undefined {
  if (!isObject(error)) return undefined
  const { code, message, cause } = error
  const failure = typeof code === 'string' ? ofCode(code) : undefined
  if (failure) return failure
  if (typeof message === 'string' && LOST.test(message)) return 'unavailable'
  return failureOf(cause)
}

/** True if the same statement may succeed later. */
export function isTransient(error: unknown): boolean {
  const failure = failureOf(error)
  return failure !== undefined && failure !== 'rejected'
}

const ofCode = (code: string): DatabaseFailure | undefined =>
  BY_CODE[code] ?? (REJECTED.test(code) ? 'rejected' : undefined)

const FAILURE_WORDS: Readonly<Record<DatabaseFailure, string>> = {
  unavailable: 'could not be reached',
  busy: 'took too long',
  conflict: 'was changed by somebody else at the same time',
  rejected: 'refused the data',
}

const REASON_MAX = 500

/** Why something failed, safe to show: a library's message may hold a statement with a user's data. */
export function reasonOf(error: unknown): string {
  const sqlError = sqlErrorOf(error)
  if (sqlError) {
    const words = FAILURE_WORDS[failureOf(error) ?? 'rejected']
    return `The database ${words} (${sqlError.state}).`
  }
  const message = error instanceof Error ? error.message : String(error)
  if (!message.startsWith(STATEMENT)) return message.slice(0, REASON_MAX)
  return `The database ${FAILURE_WORDS[failureOf(error) ?? 'rejected']}.`
}

/** Reasons stored by an older release may hold a statement. */
export const sayStored = (reason: string | null): string | null =>
  reason?.startsWith(STATEMENT) ? 'The database refused the data.' : reason

/** Start of the Drizzle messages that hold the statement and its values. */
const STATEMENT = 'Failed query'

/** PostgreSQL's own error, unwrapped from a library's. */
export function sqlErrorOf(
  error: unknown,
): { readonly state: string; readonly message: string } | undefined {
  if (!isObject(error)) return undefined
  const { code, message, cause } = error
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    return { state: code, message: typeof message === 'string' ? message : '' }
  }
  return sqlErrorOf(cause)
}
