import { backoffMs } from '../../../platform/background/backoff.ts'
import { type DatabaseFailure, failureOf } from '../../../platform/database/failure.ts'

/**
 * Whether a batch is tried again. `rejected` never fits. Anything unknown counts as an unavailable
 * database, because acknowledged money is never given up.
 */
export function failureOfBatch(error: unknown): DatabaseFailure {
  if (error instanceof RangeError || error instanceof TypeError) return 'rejected'
  return failureOf(error) ?? 'unavailable'
}

/** 100 ms after the first failure, doubling up to 5 s. */
export const waitAfter = (failures: number): number =>
  backoffMs({ firstMs: 100, maxMs: 5_000 }, failures)
