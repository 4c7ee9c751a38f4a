export type { Brake, BudgetBook, CampaignTerms, Reservation, SpendView } from './book/book.ts'
export type { Holder } from './book/hold-share.ts'
export { createBudgetBook } from './book/memory-book.ts'
export { createLeasedBook } from './book/leased-book.ts'
export { budgetDayOf } from './book/budget-day.ts'
export { proveLedger } from './ledger/proof.ts'
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
export { listLeaseBalances } from './leases/store-leases.ts'
export { leaseName, nodeOfReservation } from './leases/lease.ts'
export { publishExhausted } from './ledger/store-exhausted.ts'
