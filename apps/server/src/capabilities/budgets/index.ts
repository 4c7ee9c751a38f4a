export type { Brake, BudgetBook, CampaignTerms, Reservation } from './book/book.ts'
export { createBudgetBook } from './book/memory-book.ts'
export { createLeasedBook, type LeasedBook } from './book/leased-book.ts'
export { startLeaseRenewal } from './leases/lease-renewal.ts'
export { budgetDayOf } from './book/budget-day.ts'
export { proveLedger } from './ledger/proof.ts'
export { ledgerRoutes } from './ledger/routes.ts'
export { limitsSubscriber } from './ledger/limits-feed.ts'
export {
  type LedgerAccount,
  admitInOrder,
  allFit,
  type Charge,
  type LeaseBalance,
  leaseMicrosFor,
  millisOf,
  post,
  unspentMillis,
} from './ledger/admit-charges.ts'
export {
  type Entry,
  type LeaseCharge,
  lockLedgerAccounts,
  type Payer,
  type PayerLedgerAccounts,
  payerName,
  postEntries,
} from './ledger/store-ledger-accounts.ts'
export { postCredits } from './ledger/store-credits.ts'
export { listLeaseBalances, openLeasePool } from './leases/store-leases.ts'
export { leaseName, nodeOfReservation } from './leases/lease.ts'
export { measureBudgets } from './metrics.ts'
export type { KnownCampaign, PacerDeps } from './pacers/operations.ts'
export { pacerRoutes } from './pacers/routes.ts'
export { publishExhausted } from './ledger/store-exhausted.ts'
export { listSpent } from './ledger/store-spent.ts'
export { keepSweeping } from './book/sweeping.ts'
