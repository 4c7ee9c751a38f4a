import {
  type Account,
  admitInOrder,
  allFit,
  type Charge,
  type Entry,
  millisOf,
  type PayerAccounts,
  payerName,
  post,
  roomMillis,
} from '../budgets/index.ts'
import { isBillable, type TrackedEvent } from './event.ts'
import type { BilledEvent, Billing } from './store-events.ts'

export type AccountsByPayer = ReadonlyMap<number, PayerAccounts>

const hasPayer = (event: TrackedEvent) =>
  event.campaignKey !== undefined && event.advertiserKey !== undefined

const accountsOf = (accounts: AccountsByPayer, event: TrackedEvent): PayerAccounts =>
  accounts.get(payerName(event.campaignKey!, event.budgetDay))!

const chargeOf = (accounts: AccountsByPayer, event: TrackedEvent): Charge => ({
  accounts: accountsOf(accounts, event),
  millis: millisOf(event.pricing, event.chargeMicros),
})

/** True if every event can be charged, even if none of them is a repeat. */
export function fitsWhole(events: readonly TrackedEvent[], accounts: AccountsByPayer): boolean {
  const sums = new Map<PayerAccounts, bigint>()
  for (const event of events) {
    if (!isBillable(event)) continue
    const payer = accountsOf(accounts, event)
    sums.set(payer, (sums.get(payer) ?? 0n) + millisOf(event.pricing, event.chargeMicros))
  }
  return allFit([...sums].map(([accounts, millis]) => ({ accounts, millis })))
}

export const billAll = (events: readonly TrackedEvent[]): BilledEvent[] =>
  events.map((event) => billed(event, 'charged'))

export interface Billed {
  readonly rows: readonly BilledEvent[]
  readonly full: ReadonlySet<Account>
}

/** Where money is short, the earlier event is charged: by its time, then by its id. */
export function billInOrder(events: readonly TrackedEvent[], accounts: AccountsByPayer): Billed {
  const inOrder = events.filter(isBillable).toSorted(byTime)
  const { admitted, full } = admitInOrder(inOrder.map((event) => chargeOf(accounts, event)))
  const refused = new Set(inOrder.filter((_, i) => !admitted[i]))
  const rows = events.map((event) =>
    billed(event, (refused as Set<TrackedEvent>).has(event) ? 'over-delivery' : 'charged'),
  )
  return { rows, full }
}

function byTime(a: TrackedEvent, b: TrackedEvent): number {
  return a.occurredAtMs - b.occurredAtMs || (a.eventId < b.eventId ? -1 : 1)
}

function billed(event: TrackedEvent, wanted: 'charged' | 'over-delivery'): BilledEvent {
  const billing: Billing = isBillable(event) ? wanted : event.label === 'valid' ? 'free' : 'invalid'
  const isCharged = billing === 'charged'
  return {
    event,
    billing,
    chargedMillis: isCharged ? millisOf(event.pricing, event.chargeMicros) : 0n,
  }
}

interface PayerSum {
  millis: bigint
  impressions: number
  clicks: number
}

/** What a batch adds up to, per account: money, and the campaign's valid impressions and clicks. */
export function entriesOf(rows: readonly BilledEvent[], accounts: AccountsByPayer): Entry[] {
  const sums = new Map<Account, PayerSum>()
  for (const [payer, added] of sumByPayer(rows, accounts)) {
    for (const account of payer) {
      const sum = sums.get(account) ?? { millis: 0n, impressions: 0, clicks: 0 }
      sum.millis += added.millis
      if (account.scope === 'total') sum.impressions += added.impressions
      if (account.scope === 'total') sum.clicks += added.clicks
      sums.set(account, sum)
    }
  }
  return [...sums]
    .filter(([, { millis, impressions, clicks }]) => millis > 0n || impressions > 0 || clicks > 0)
    .map(([{ scope, ownerKey, day, balance }, { millis, impressions, clicks }]) => ({
      scope,
      ownerKey,
      day,
      impressions,
      clicks,
      ...post(balance, millis),
    }))
}

function sumByPayer(rows: readonly BilledEvent[], accounts: AccountsByPayer) {
  const sums = new Map<PayerAccounts, PayerSum>()
  for (const { event, chargedMillis } of rows) {
    if (!hasPayer(event)) continue
    const payer = accountsOf(accounts, event)
    const sum = sums.get(payer) ?? { millis: 0n, impressions: 0, clicks: 0 }
    sums.set(payer, sum)
    if (chargedMillis > 0n) sum.millis += chargedMillis
    if (event.label === 'valid' && event.kind === 'impression') sum.impressions++
    if (event.label === 'valid' && event.kind === 'click') sum.clicks++
  }
  return sums
}

/** Accounts that have nothing left after these entries. */
export function usedUp(entries: readonly Entry[], accounts: AccountsByPayer): Account[] {
  const byKey = new Map([...accounts.values()].flat().map((account) => [nameOf(account), account]))
  return entries.flatMap((entry) => {
    const account = byKey.get(nameOf(entry))!
    const spentMicros = account.balance.spentMicros + entry.amountMicros
    const room = roomMillis({ ...account.balance, ...entry, spentMicros })
    return room === 0n && entry.amountMicros > 0n ? [account] : []
  })
}

const nameOf = ({ scope, ownerKey, day }: Pick<Account, 'scope' | 'ownerKey' | 'day'>) =>
  `${scope} ${ownerKey} ${day}`
