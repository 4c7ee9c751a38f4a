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

export type AccountsByPayer = ReadonlyMap<string, PayerAccounts>

export const hasPayer = (event: TrackedEvent) =>
  event.campaignKey !== undefined && event.advertiserKey !== undefined

export const accountsOf = (accounts: AccountsByPayer, event: TrackedEvent): PayerAccounts =>
  accounts.get(payerName({ campaignKey: event.campaignKey!, day: event.budgetDay }))!

const chargeOf = (accounts: AccountsByPayer, event: TrackedEvent): Charge => ({
  accounts: accountsOf(accounts, event),
  millis: millisOf(event.pricing, event.chargeMicros),
})

/** True if every event can be charged, even if none of them is a repeat. */
export const fitsWhole = (events: readonly TrackedEvent[], accounts: AccountsByPayer): boolean =>
  allFit(events.filter(isBillable).map((event) => chargeOf(accounts, event)))

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

/** What a batch adds up to, per account: money, and the campaign's valid impressions and clicks. */
export function entriesOf(rows: readonly BilledEvent[], accounts: AccountsByPayer): Entry[] {
  const sums = new Map<Account, { millis: bigint; impressions: number; clicks: number }>()
  const sumOf = (account: Account) => {
    const known = sums.get(account)
    if (known) return known
    const added = { millis: 0n, impressions: 0, clicks: 0 }
    sums.set(account, added)
    return added
  }

  for (const { event, chargedMillis } of rows) {
    if (!hasPayer(event)) continue
    const all = accountsOf(accounts, event)
    if (chargedMillis > 0n) for (const account of all) sumOf(account).millis += chargedMillis
    if (event.label !== 'valid') continue
    if (event.kind === 'impression') sumOf(all[2]).impressions++
    if (event.kind === 'click') sumOf(all[2]).clicks++
  }
  return [...sums].map(([{ scope, ownerKey, day, balance }, { millis, impressions, clicks }]) => ({
    scope,
    ownerKey,
    day,
    impressions,
    clicks,
    ...post(balance, millis),
  }))
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
