import type { Uptime } from '../../../platform/clock.ts'
import type { BookOptions, BudgetBook } from './book.ts'
import { MemoryBook } from './memory-book.ts'
import type { NodeLeases } from '../leases/node-leases.ts'

export interface LeasedBook {
  readonly book: BudgetBook
  readonly nodeLeases: NodeLeases
  /** Prefix of reservation ids. */
  readonly node: string
  /**
   * A ledger account changed in the database: the book learns the new spend with its next grant.
   */
  refresh(campaignKey: number): void
}

/**
 * A book that spends only what its `nodeLeases` hold, whether the node is one of many or the only
 * one.
 */
export function createLeasedBook(options: BookOptions & { readonly uptime: Uptime }): LeasedBook {
  const book = new MemoryBook(options)
  return {
    book,
    nodeLeases: book.nodeLeases!,
    node: book.node,
    refresh: (key) => book.refresh(key),
  }
}
