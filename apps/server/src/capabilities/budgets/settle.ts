/**
 * Charges against budgets. One charge is whole thousandths of a micro (millis): a price per mille,
 * charged for one impression, has three decimals more than a micro.
 */

/** What limits one charge: the campaign's day, the advertiser's day, the campaign's lifetime. */
export type AccountScope = 'campaign' | 'advertiser' | 'total'

export interface AccountKey {
  readonly scope: AccountScope
  readonly ownerKey: number
  /** Days since 1970 in the advertiser's zone; 0 for a lifetime. */
  readonly day: number
}

export interface Balance {
  /** Undefined: no limit. */
  readonly limitMicros: bigint | undefined
  readonly spentMicros: bigint
  /** What does not fill a micro yet: 0 to 999 thousandths. */
  readonly remainderMillis: bigint
}

export interface Account extends AccountKey {
  readonly balance: Balance
}

export interface Charge {
  readonly accounts: readonly Account[]
  readonly millis: bigint
}

const MILLIS_PER_MICRO = 1_000n

export const millisOf = (pricing: 'cpm' | 'cpc', chargeMicros: number): bigint =>
  pricing === 'cpm' ? BigInt(chargeMicros) : BigInt(chargeMicros) * MILLIS_PER_MICRO

/** What still fits; undefined without a limit, never below zero. */
export function roomMillis({ limitMicros, spentMicros, remainderMillis }: Balance) {
  if (limitMicros === undefined) return undefined
  const room = (limitMicros - spentMicros) * MILLIS_PER_MICRO - remainderMillis
  return room > 0n ? room : 0n
}

/** True if all charges together fit: then their order does not matter. */
export function allFit(charges: readonly Charge[]): boolean {
  const sums = new Map<Account, bigint>()
  for (const { accounts, millis } of charges) {
    for (const account of accounts) sums.set(account, (sums.get(account) ?? 0n) + millis)
  }
  return [...sums].every(([{ balance }, sum]) => sum <= (roomMillis(balance) ?? sum))
}

export interface Admission {
  /** Per charge, in the order given. */
  readonly admitted: readonly boolean[]
  /** Accounts that had no room for at least one charge. */
  readonly full: ReadonlySet<Account>
}

/** One after the other, each whole or not at all: what does not fit leaves room for smaller ones. */
export function admitInOrder(charges: readonly Charge[]): Admission {
  const rooms = new Map<Account, bigint | undefined>()
  const full = new Set<Account>()
  const roomOf = (account: Account) => {
    if (!rooms.has(account)) rooms.set(account, roomMillis(account.balance))
    return rooms.get(account)
  }

  const admitted = charges.map(({ accounts, millis }) => {
    const refusing = accounts.filter((account) => millis > (roomOf(account) ?? millis))
    for (const account of refusing) full.add(account)
    if (refusing.length > 0) return false
    for (const account of accounts) {
      const room = roomOf(account)
      if (room !== undefined) rooms.set(account, room - millis)
    }
    return true
  })
  return { admitted, full }
}

export interface Posting {
  /** Whole micros that are added to what is spent. */
  readonly amountMicros: bigint
  readonly remainderMillis: bigint
}

/** Divided once for all charges of a batch, rounded down; the rest is carried to the next one. */
export function post({ remainderMillis }: Balance, millis: bigint): Posting {
  const sum = remainderMillis + millis
  return { amountMicros: sum / MILLIS_PER_MICRO, remainderMillis: sum % MILLIS_PER_MICRO }
}
