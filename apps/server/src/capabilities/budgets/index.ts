export type {
  AdvertiserTerms,
  BookSnapshot,
  BudgetBook,
  CampaignTerms,
  CampaignView,
  Reservation,
  SpentEntry,
} from './book.ts'
export { createBudgetBook } from './memory-book.ts'
export { grownInts, TimedSlots } from './timed-slots.ts'
export { budgetDayOf } from './days.ts'
export { proveLedger, proveLedgerJob } from './ledger-proof.ts'
export { ledgerRoutes, type LedgerRouteDeps } from './ledger-routes.ts'
export { limitsSubscriber } from './limits-feed.ts'
export {
  type Account,
  admitInOrder,
  allFit,
  type Charge,
  millisOf,
  post,
  roomMillis,
} from './settle.ts'
export {
  type Entry,
  lockAccounts,
  type Payer,
  type PayerAccounts,
  payerName,
  postEntries,
} from './store-accounts.ts'
export { noteExhausted } from './store-exhausted.ts'
export { listSpent } from './store-spent.ts'
