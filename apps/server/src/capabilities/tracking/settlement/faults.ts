/** What an error of the database says about trying again. */
export type FaultKind = 'poison' | 'conflict' | 'away'

/** Class 22: data; 23: constraints; 54: limits such as the size of an index row. */
const POISON = /^(22|23|54)/
const CONFLICTS = new Set(['40001', '40P01', '55P03', '57014'])

/**
 * Poison fails again whenever it is tried; after a conflict the next try may do at once; all else
 * is taken as a database that is away, because acknowledged money is never given up.
 */
export function kindOfFault(error: unknown): FaultKind {
  if (error instanceof RangeError || error instanceof TypeError) return 'poison'
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return 'away'
  if (CONFLICTS.has(code)) return 'conflict'
  return POISON.test(code) ? 'poison' : 'away'
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/** 100 ms after the first failure, doubling up to 5 s. */
export const waitAfter = (failures: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10))
