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
