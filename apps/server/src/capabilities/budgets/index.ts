export type { Brake, BudgetBook, CampaignTerms, Reservation } from './book/book.ts'
export { createBudgetBook } from './book/memory-book.ts'
export { createLeasedBook, type LeasedBook } from './book/leased-book.ts'
export { keepLeases } from './leases/lease-keeper.ts'
export { budgetDayOf } from './book/budget-day.ts'
export { proveLedger, proveLedgerJob } from './ledger/proof.ts'
export { ledgerRoutes } from './ledger/routes.ts'
export { limitsSubscriber } from './ledger/limits-feed.ts'
export {
  type Account,
  admitInOrder,
  allFit,
  type Charge,
  type HeldLease,
  leaseMicrosFor,
  millisOf,
  post,
  unspentMillis,
} from './ledger/admit-charges.ts'
export {
  type Entry,
  type LeaseCut,
  lockAccounts,
  type Payer,
  type PayerAccounts,
  payerName,
  postEntries,
} from './ledger/store-accounts.ts'
export { postCredits } from './ledger/store-credits.ts'
export { listHeldLeases, openLeasePool } from './leases/store-leases.ts'
export { leaseName, nodeOfReservation } from './leases/lease.ts'
export { measureBudgets } from './metrics.ts'
export type { KnownCampaign, PacerDeps } from './pacers/operations.ts'
export { pacerRoutes } from './pacers/routes.ts'
export { noteExhausted } from './ledger/store-exhausted.ts'
export { listSpent } from './ledger/store-spent.ts'
export { keepSweeping } from './book/sweeping.ts'
