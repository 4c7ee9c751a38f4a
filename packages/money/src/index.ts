declare const unit: unique symbol

/** Money as a whole number of millionths of its currency: 1.25 is 1_250_000n. */
export type Micros = bigint & { readonly [unit]: 'micros' }

export const micros = (value: bigint): Micros => value as Micros

export const NO_MONEY = micros(0n)

/**
 * The largest single amount: one micro below a billion units. 9,000 of them fit a `bigint` column and 9 of them
 * add up exactly as doubles, so no other layer checks for overflow.
 */
export const AMOUNT_MICROS_MAX = micros(999_999_999_999_999n)

/** ISO 4217 for "no currency": nothing was sold. */
export const NO_CURRENCY = 'XXX'

/** Part of an amount, rounded down: the parts never add up to more than the whole. */
export function share(amount: Micros, { part, whole }: { part: number; whole: number }): Micros {
  if (part < 0 || part > whole) throw new RangeError(`${part} of ${whole} is not a share`)
  return micros((amount * BigInt(part)) / BigInt(whole))
}

const MICROS_PER_UNIT = 1_000_000n

/** Exact decimal text: 1_250_000n is "1.25". */
export function toDecimal(amount: Micros): string {
  const sign = amount < 0n ? '-' : ''
  const size = amount < 0n ? amount * -1n : amount
  const fraction = String(size % MICROS_PER_UNIT)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${sign}${size / MICROS_PER_UNIT}${fraction && `.${fraction}`}`
}
