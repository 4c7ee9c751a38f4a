/** Text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^-?\d+(\.\d+)?$/
const SPECIAL = /[",\r\n]/

/** One line of CSV (RFC 4180). A quote before a formula keeps a spreadsheet from running it. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map(cellOf).join(',')}\r\n`

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
