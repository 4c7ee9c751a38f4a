const WHOLE_MICROS = 1_000_000n
const UNITS_MAX = 10_000n
const DECIMALS_USUAL = 2

/** The highest value of a conversion if the advertiser sets none: 10,000 euros, 1,000,000 yen. */
export function defaultLimitMicros(currency: string): bigint {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const { maximumFractionDigits = DECIMALS_USUAL } = format.resolvedOptions()
  const scale = 10n ** BigInt(Math.max(0, DECIMALS_USUAL - maximumFractionDigits))
  return UNITS_MAX * scale * WHOLE_MICROS
}
