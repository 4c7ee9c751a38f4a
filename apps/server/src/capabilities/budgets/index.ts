export type { Brake, BudgetBook, CampaignTerms, Reservation } from './book.ts'
export { createBudgetBook } from './memory-book.ts'
export { createLeasedBook, type LeasedBook } from './leased-book.ts'
export { keepLeases } from './lease-keeper.ts'
export { budgetDayOf } from './days.ts'
export { proveLedger, proveLedgerJob } from './ledger-proof.ts'
export { ledgerRoutes } from './ledger-routes.ts'
export { limitsSubscriber } from './limits-feed.ts'
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
} from './settle.ts'
export {
  type Entry,
  type LeaseCut,
  lockAccounts,
  type Payer,
  type PayerAccounts,
  payerName,
  postEntries,
} from './store-accounts.ts'
export { postCredits } from './store-credits.ts'
export { listHeldLeases, openLeasePool } from './store-leases.ts'
export { leaseName, nodeOfReservation } from './lease.ts'
export { measureBudgets } from './metrics.ts'
export type { KnownCampaign, PacerDeps } from './operations-pacers.ts'
export { pacerRoutes } from './routes-pacers.ts'
export { noteExhausted } from './store-exhausted.ts'
export { listSpent } from './store-spent.ts'
export { keepSweeping } from './sweeping.ts'
