/**
 * Charges against budgets. One charge is whole thousandths of a micro (millis): a price per mille,
 * charged for one impression, has three decimals more than a micro.
 */

/** What limits one charge: the campaign's day, the advertiser's day, the campaign's lifetime. */
export type LedgerScope = 'campaign' | 'advertiser' | 'total'

export interface LedgerAccountKey {
  readonly scope: LedgerScope
  readonly ownerKey: number
  /** Days since 1970 in the advertiser's zone; 0 for a lifetime. */
  readonly day: number
}

export interface Balance {
  /** Undefined: no limit. */
  readonly limitMicros: bigint | undefined
  readonly spentMicros: bigint
  /** In the hands of nodes: spent by their showings, or returned. */
  readonly leasedMicros: bigint
  /** What does not fill a micro yet: 0 to 999 thousandths. */
  readonly remainderMillis: bigint
}

export interface LedgerAccount extends LedgerAccountKey {
  readonly balance: Balance
}

/** What a node holds of a payer's money: its charges take from here first. */
export interface LeaseBalance {
  readonly amountMicros: bigint
}

export interface Charge {
  readonly accounts: readonly LedgerAccount[]
  readonly millis: bigint
  readonly lease?: LeaseBalance | undefined
}

const MILLIS_PER_MICRO = 1_000n

export const millisOf = (pricing: 'cpm' | 'cpc', chargeMicros: number): bigint =>
  pricing === 'cpm' ? BigInt(chargeMicros) : BigInt(chargeMicros) * MILLIS_PER_MICRO

/** What still fits beside all leases; undefined without a limit, never below zero. */
export function roomMillis(balance: Balance): bigint | undefined {
  const unspent = unspentMillis(balance)
  if (unspent === undefined) return undefined
  const room = unspent - balance.leasedMicros * MILLIS_PER_MICRO
  return room > 0n ? room : 0n
}

/** What is not spent yet, leased or not; undefined without a limit, never below zero. */
export function unspentMillis({ limitMicros, spentMicros, remainderMillis }: Balance) {
  if (limitMicros === undefined) return undefined
  const unspent = (limitMicros - spentMicros) * MILLIS_PER_MICRO - remainderMillis
  return unspent > 0n ? unspent : 0n
}

/** Rounded up, so that a lease shrinks at least as much as the spend grows. */
export const leaseMicrosFor = (millis: bigint): bigint =>
  (millis + MILLIS_PER_MICRO - 1n) / MILLIS_PER_MICRO

/** True if all charges together fit beside all leases: then neither order nor lease matters. */
export function allFit(charges: readonly Charge[]): boolean {
  const sums = new Map<LedgerAccount, bigint>()
  for (const { accounts, millis } of charges) {
    for (const account of accounts) sums.set(account, (sums.get(account) ?? 0n) + millis)
  }
  return [...sums].every(([{ balance }, sum]) => sum <= (roomMillis(balance) ?? sum))
}

export interface Admission {
  /** Per charge, in the order given. */
  readonly admitted: readonly boolean[]
  /** Accounts whose money is gone: at least one charge is more than what is not spent. */
  readonly full: ReadonlySet<LedgerAccount>
}

/**
 * One after the other, each whole or not at all: what does not fit leaves room for smaller ones. A
 * charge takes from the lease it was reserved on, and beyond that from what nobody has leased.
 */
export function admitInOrder(charges: readonly Charge[]): Admission {
  const balances = new RunningBalances()
  const full = new Set<LedgerAccount>()
  const admitted = charges.map(({ accounts, millis, lease }) => {
    const covered = lease === undefined ? 0n : least(millis, balances.leased(lease))
    const rest = millis - covered
    const refusing = accounts.filter((account) => rest > (balances.room(account) ?? rest))
    for (const account of refusing) {
      if (millis > (balances.unspent(account) ?? millis)) full.add(account)
    }
    if (refusing.length > 0) return false
    for (const account of accounts) balances.spend(account, { millis, rest })
    if (lease !== undefined) balances.take(lease, covered)
    return true
  })
  return { admitted, full }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** What is left of accounts and leases while charges are admitted one by one. */
class RunningBalances {
  private readonly rooms = new Map<LedgerAccount, bigint | undefined>()
  private readonly spent = new Map<LedgerAccount, bigint>()
  private readonly taken = new Map<LeaseBalance, bigint>()

  room(account: LedgerAccount): bigint | undefined {
    if (!this.rooms.has(account)) this.rooms.set(account, roomMillis(account.balance))
    return this.rooms.get(account)
  }

  unspent(account: LedgerAccount): bigint | undefined {
    const unspent = unspentMillis(account.balance)
    return unspent === undefined ? undefined : unspent - (this.spent.get(account) ?? 0n)
  }

  leased(lease: LeaseBalance): bigint {
    return lease.amountMicros * MILLIS_PER_MICRO - (this.taken.get(lease) ?? 0n)
  }

  spend(account: LedgerAccount, { millis, rest }: { millis: bigint; rest: bigint }): void {
    const room = this.room(account)
    if (room !== undefined) this.rooms.set(account, room - rest)
    this.spent.set(account, (this.spent.get(account) ?? 0n) + millis)
  }

  take(lease: LeaseBalance, millis: bigint): void {
    this.taken.set(lease, (this.taken.get(lease) ?? 0n) + millis)
  }
}

export interface Posting {
  /** Whole micros that are added to what is spent. */
  readonly amountMicros: bigint
  readonly remainderMillis: bigint
}

/**
 * Divided once for all charges of a batch, rounded down; the rest is carried to the next one. A credit
 * is below zero and is rounded down too, so that the rest stays between 0 and 999.
 */
export function post({ remainderMillis }: Balance, millis: bigint): Posting {
  const sum = remainderMillis + millis
  const rest = sum % MILLIS_PER_MICRO
  const remainder = rest < 0n ? rest + MILLIS_PER_MICRO : rest
  return { amountMicros: (sum - remainder) / MILLIS_PER_MICRO, remainderMillis: remainder }
}
