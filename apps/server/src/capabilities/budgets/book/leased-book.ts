import type { Uptime } from '../../../platform/clock.ts'
import type { BudgetBook } from './book.ts'
import { type BookOptions, MemoryBook } from './memory-book.ts'
import type { Purse } from '../leases/node-leases.ts'

export interface LeasedBook {
  readonly book: BudgetBook
  readonly purse: Purse
  /** What reservation ids begin with. */
  readonly node: string
  /** Its accounts changed in the database: the book learns it with the next answer. */
  refresh(campaignKey: number): void
}

/** A book that spends only what its purse has: one node of many, or the only one. */
export function createLeasedBook(options: BookOptions & { readonly uptime: Uptime }): LeasedBook {
  const book = new MemoryBook(options)
  return { book, purse: book.purse!, node: book.node, refresh: (key) => book.refresh(key) }
}
