/**
 * Charges against budgets. A charge is whole thousandths of a micro (millis), because the CPM of
 * one impression has three decimals more than a micro.
 */

/** What limits a charge: the campaign's day, the advertiser's day, the campaign's lifetime. */
export type LedgerScope = 'campaign' | 'advertiser' | 'total'

export interface LedgerAccountKey {
  readonly scope: LedgerScope
  readonly ownerKey: number
  /** Days since 1970-01-01 in the advertiser's zone. 0 for a lifetime. */
  readonly day: number
}

export interface Balance {
  /** Undefined: no limit. */
  readonly limitMicros: bigint | undefined
  readonly spentMicros: bigint
  /** Leased by nodes: spent by their impressions, or returned. */
  readonly leasedMicros: bigint
  /** The part below one micro: 0 to 999 thousandths. */
  readonly remainderMillis: bigint
}

export interface LedgerAccount extends LedgerAccountKey {
  readonly balance: Balance
}

/** What a node has leased from a payer. Its charges take from this first. */
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

/** What fits beside all leases. Undefined without a limit, never below zero. */
export function roomMillis(balance: Balance): bigint | undefined {
  const unspent = unspentMillis(balance)
  if (unspent === undefined) return undefined
  const room = unspent - balance.leasedMicros * MILLIS_PER_MICRO
  return room > 0n ? room : 0n
}

/** What is not spent yet, leased or not. Undefined without a limit, never below zero. */
export function unspentMillis({ limitMicros, spentMicros, remainderMillis }: Balance) {
  if (limitMicros === undefined) return undefined
  const unspent = (limitMicros - spentMicros) * MILLIS_PER_MICRO - remainderMillis
  return unspent > 0n ? unspent : 0n
}

/** Rounded up, so that a lease shrinks at least as much as the spend grows. */
export const leaseMicrosFor = (millis: bigint): bigint =>
  (millis + MILLIS_PER_MICRO - 1n) / MILLIS_PER_MICRO

/** True if all charges together fit beside all leases. Then neither order nor lease matters. */
export function allFit(charges: readonly Charge[]): boolean {
  const sums = new Map<LedgerAccount, bigint>()
  for (const { accounts, millis } of charges) {
    for (const account of accounts) sums.set(account, (sums.get(account) ?? 0n) + millis)
  }
  return [...sums].every(([{ balance }, sum]) => sum <= (roomMillis(balance) ?? sum))
}

export interface Admission {
  /** One per charge, in the given order. */
  readonly admitted: readonly boolean[]
  /** Ledger accounts with less unspent money than at least one charge. */
  readonly full: ReadonlySet<LedgerAccount>
}

/**
 * Admits charges one after the other, each whole or not at all, so that smaller charges may follow
 * one that does not fit. A charge takes from its own lease first, then from unleased money.
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

/** What is left of ledger accounts and leases while charges are admitted one by one. */
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
  /** Whole micros to add to the spend. */
  readonly amountMicros: bigint
  readonly remainderMillis: bigint
}

/**
 * Divides once for all charges of a batch, rounded down, and carries the remainder to the next
 * batch. A credit is negative and is rounded down too, so the remainder stays between 0 and 999.
 */
export function post({ remainderMillis }: Balance, millis: bigint): Posting {
  const sum = remainderMillis + millis
  const rest = sum % MILLIS_PER_MICRO
  const remainder = rest < 0n ? rest + MILLIS_PER_MICRO : rest
  return { amountMicros: (sum - remainder) / MILLIS_PER_MICRO, remainderMillis: remainder }
}
