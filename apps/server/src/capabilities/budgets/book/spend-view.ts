import { type SpendColumns, NO_LIMIT } from './spend-columns.ts'
import type { SpendView } from './book.ts'

export const viewDay = (
  accounts: SpendColumns,
  owner: number,
  day: number | undefined,
): SpendView => ({
  limitMicros: shown(accounts.dailyLimit(owner)),
  spentMicros: day === undefined ? 0 : accounts.spentOn(owner, day),
  heldMicros: day === undefined ? 0 : accounts.heldOn(owner, day),
})

export const viewLifetime = (accounts: SpendColumns, owner: number): SpendView => ({
  limitMicros: shown(accounts.totalLimit(owner)),
  spentMicros: accounts.spentInAll(owner),
  heldMicros: accounts.heldInAll(owner),
})

const shown = (limitMicros: number) => (limitMicros === NO_LIMIT ? undefined : limitMicros)
