import {
  CHECK_VIOLATION,
  failureOf,
  sqlErrorOf,
  UNIQUE_VIOLATION,
} from '../../../platform/database/failure.ts'

/**
 * `no-partition`: the day of a row has no table yet. `repeated`: a row exists already. `row`: the
 * rows themselves are refused, and would be again. `transient`: anything else, from a lost
 * connection to a schema change in progress.
 */
export type WriteFault = 'no-partition' | 'repeated' | 'row' | 'transient'

export function judgeFault(error: unknown): WriteFault {
  const { state, message = '' } = sqlErrorOf(error) ?? {}
  if (state === CHECK_VIOLATION && message.includes('no partition')) return 'no-partition'
  if (state === UNIQUE_VIOLATION) return 'repeated'
  return failureOf(error) === 'rejected' ? 'row' : 'transient'
}
