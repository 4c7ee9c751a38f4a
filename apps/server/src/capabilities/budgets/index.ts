export type { AdvertiserTerms, BudgetBook, CampaignTerms, Reservation } from './book.ts'
