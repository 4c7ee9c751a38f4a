/**
 * Why PostgreSQL did not do something although nothing is wrong with the request.
 * `conflict`: two transactions stood in each other's way and this one was rolled back whole.
 */
export type DatabaseFailure = 'away' | 'busy' | 'conflict'

const BY_CODE: Readonly<Record<string, DatabaseFailure>> = {
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EPIPE: 'away',
  ENOTFOUND: 'away',
  ETIMEDOUT: 'away',
  '57P01': 'away', // admin_shutdown
  '57P02': 'away', // crash_shutdown
  '57P03': 'away', // cannot_connect_now
  '25P03': 'away', // idle_in_transaction_session_timeout
  '53300': 'busy', // too_many_connections
  '53200': 'busy', // out_of_memory
  '55P03': 'busy', // lock_not_available
  '57014': 'busy', // query_canceled: the statement took too long
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
}

/** What the driver says without a code. */
const LOST =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error/

/** Undefined: the error is not about the state of the database. */
export function failureOf(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, message, cause } = error as Error & { code?: string }
  const failure = BY_CODE[code ?? '']
  if (failure) return failure
  if (LOST.test(message)) return 'away'
  return failureOf(cause)
}
