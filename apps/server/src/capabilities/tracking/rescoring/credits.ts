import { type LedgerAccount, type Entry, type Payer, payerName, post } from '../../budgets/index.ts'
import type { AccountsByPayer } from '../settlement/billing.ts'
import type { RescoredEvent } from './rescore.ts'

type Paid<Event> = Event & { readonly campaignKey: number; readonly advertiserKey: number }
type MaybePaid = Pick<RescoredEvent, 'campaignKey' | 'advertiserKey' | 'budgetDay'>

const hasPayer = <Event extends MaybePaid>(event: Event): event is Paid<Event> =>
  event.campaignKey !== null && event.advertiserKey !== null

/** Each campaign and budget day once. */
export function payersOf(events: readonly MaybePaid[]): Payer[] {
  const payers = new Map<number, Payer>()
  for (const { campaignKey, advertiserKey, budgetDay: day } of events.filter(hasPayer)) {
    payers.set(payerName(campaignKey, day), { campaignKey, advertiserKey, day })
  }
  return [...payers.values()]
}

/** Credits per ledger account: money, and the campaign's valid impressions and clicks. */
export function creditsOf(events: readonly RescoredEvent[], accounts: AccountsByPayer): Entry[] {
  const sums = new Map<LedgerAccount, { millis: bigint; impressions: number; clicks: number }>()
  for (const event of events.filter(hasPayer)) {
    for (const account of accounts.get(payerName(event.campaignKey, event.budgetDay))!) {
      const sum = sums.get(account) ?? { millis: 0n, impressions: 0, clicks: 0 }
      sums.set(account, sum)
      sum.millis += event.chargedMillis
      if (event.kind === 'impression') sum.impressions++
      if (event.kind === 'click') sum.clicks++
    }
  }
  return [...sums].map(([{ scope, ownerKey, day, balance }, { millis, impressions, clicks }]) => ({
    scope,
    ownerKey,
    day,
    impressions: -impressions,
    clicks: -clicks,
    ...post(balance, -millis),
  }))
}
