import {
  type LedgerAccount,
  admitInOrder,
  allFit,
  type Charge,
  type Entry,
  type LeaseBalance,
  type LeaseCharge,
  leaseMicrosFor,
  leaseName,
  millisOf,
  nodeOfReservation,
  type PayerLedgerAccounts,
  payerName,
  post,
  unspentMillis,
} from '../../budgets/index.ts'
import { isBillable, type TrackedEvent } from '../intake/event.ts'
import type { BilledEvent, Billing } from './store-events.ts'

export type AccountsByPayer = ReadonlyMap<number, PayerLedgerAccounts>

const hasPayer = (event: TrackedEvent) =>
  event.campaignKey !== undefined && event.advertiserKey !== undefined

const accountsOf = (accounts: AccountsByPayer, event: TrackedEvent): PayerLedgerAccounts =>
  accounts.get(payerName(event.campaignKey!, event.budgetDay))!

/** Leases by name. */
export type LeasesByName = ReadonlyMap<string, LeaseBalance>

/** The payer and the node that reserved the money; undefined without a reservation. */
function leaseOf({ campaignKey, advertiserKey, budgetDay: day, reservationId }: TrackedEvent) {
  const node = nodeOfReservation(reservationId)
  if (node === undefined || campaignKey === undefined || advertiserKey === undefined) {
    return undefined
  }
  return { campaignKey, advertiserKey, day, node }
}

function chargeOf(accounts: AccountsByPayer, leases: LeasesByName, event: TrackedEvent): Charge {
  const lease = leaseOf(event)
  return {
    accounts: accountsOf(accounts, event),
    millis: millisOf(event.pricing, event.chargeMicros),
    lease: lease && leases.get(leaseName(lease)),
  }
}

/** How much each lease shrinks by these charges. */
export function leaseChargesOf(rows: readonly BilledEvent[]): LeaseCharge[] {
  const sums = new Map<string, Omit<LeaseCharge, 'amountMicros'> & { millis: bigint }>()
  for (const { event, chargedMillis } of rows) {
    const lease = chargedMillis > 0n ? leaseOf(event) : undefined
    if (lease === undefined) continue
    const name = leaseName(lease)
    const sum = sums.get(name)
    if (sum === undefined) sums.set(name, { ...lease, millis: chargedMillis })
    else sum.millis += chargedMillis
  }
  return [...sums.values()].map(({ millis, ...lease }) => ({
    ...lease,
    amountMicros: leaseMicrosFor(millis),
  }))
}

/** True if every event can be charged, even if none of them is a repeat. */
export function fitsWhole(events: readonly TrackedEvent[], accounts: AccountsByPayer): boolean {
  const sums = new Map<PayerLedgerAccounts, bigint>()
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
  readonly full: ReadonlySet<LedgerAccount>
}

/** Where money is short, the earlier event is charged: by time, then by id. */
export function billInOrder(
  events: readonly TrackedEvent[],
  { accounts, leases }: { accounts: AccountsByPayer; leases: LeasesByName },
): Billed {
  const inOrder = events.filter(isBillable).toSorted(byTime)
  const { admitted, full } = admitInOrder(inOrder.map((event) => chargeOf(accounts, leases, event)))
  const refused = new Set<TrackedEvent>(inOrder.filter((_, i) => !admitted[i]))
  const rows = events.map((event) =>
    billed(event, refused.has(event) ? 'over-delivery' : 'charged'),
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

/**
 * The sums of a batch per ledger account: money, and the campaign's valid impressions and clicks.
 */
export function entriesOf(rows: readonly BilledEvent[], accounts: AccountsByPayer): Entry[] {
  const sums = new Map<LedgerAccount, PayerSum>()
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
  const sums = new Map<PayerLedgerAccounts, PayerSum>()
  for (const { event, chargedMillis, isCounted } of rows) {
    if (!hasPayer(event)) continue
    const payer = accountsOf(accounts, event)
    const sum = sums.get(payer) ?? { millis: 0n, impressions: 0, clicks: 0 }
    sums.set(payer, sum)
    if (chargedMillis > 0n) sum.millis += chargedMillis
    if (isCounted || event.label !== 'valid') continue
    if (event.kind === 'impression') sum.impressions++
    if (event.kind === 'click') sum.clicks++
  }
  return sums
}

/** Ledger accounts with nothing left after these entries. */
export function usedUp(entries: readonly Entry[], accounts: AccountsByPayer): LedgerAccount[] {
  const byKey = new Map([...accounts.values()].flat().map((account) => [nameOf(account), account]))
  return entries.flatMap((entry) => {
    const account = byKey.get(nameOf(entry))!
    const spentMicros = account.balance.spentMicros + entry.amountMicros
    const left = unspentMillis({ ...account.balance, ...entry, spentMicros })
    return left === 0n && entry.amountMicros > 0n ? [account] : []
  })
}

const nameOf = ({ scope, ownerKey, day }: Pick<LedgerAccount, 'scope' | 'ownerKey' | 'day'>) =>
  `${scope} ${ownerKey} ${day}`
