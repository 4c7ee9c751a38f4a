const PLACES = 6
const MICROS = 1_000_000

/** Whole micros as a decimal, built from the digits: `2010000` is `2.01`. */
export function decimalText(micros: number): string {
  const digits = String(micros).padStart(PLACES + 1, '0')
  const whole = digits.slice(0, -PLACES)
  const rest = digits.slice(-PLACES).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

/** The same as a JSON number. */
export const decimal = (micros: number): number => Number(decimalText(micros))

/** A client's decimal as whole micros. Undefined if it is no amount. */
export function microsOf(amount: unknown): number | undefined {
  const isAmount = typeof amount === 'number' && amount >= 0 && amount <= AMOUNT_MAX
  return isAmount ? Math.round(amount * MICROS) : undefined
}

/** Above any price, and still exact in micros. */
const AMOUNT_MAX = 1_000_000_000
