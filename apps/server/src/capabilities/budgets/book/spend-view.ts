import { type Accounts, NO_LIMIT } from './spend-columns.ts'
import type { AccountView } from './book.ts'

export const viewDay = (
  accounts: Accounts,
  owner: number,
  day: number | undefined,
): AccountView => ({
  limitMicros: shown(accounts.dailyLimit(owner)),
  spentMicros: day === undefined ? 0 : accounts.spentOn(owner, day),
  heldMicros: day === undefined ? 0 : accounts.heldOn(owner, day),
})

export const viewLifetime = (accounts: Accounts, owner: number): AccountView => ({
  limitMicros: shown(accounts.totalLimit(owner)),
  spentMicros: accounts.spentInAll(owner),
  heldMicros: accounts.heldInAll(owner),
})

const shown = (limitMicros: number) => (limitMicros === NO_LIMIT ? undefined : limitMicros)
