/**
 * PostgreSQL array literals for set-based statements: one text per column. Ours, because the driver
 * visits every element several times and a batch has tens of thousands.
 */

/** For values that never need quotes: numbers, UUIDs, plain words. */
export function plainArray(values: readonly (string | number | bigint | undefined)[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ','
    text += values[i] ?? 'NULL'
  }
  return `${text}}`
}

const SPECIAL = /["\\]/

export function textArray(values: readonly (string | undefined)[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ','
    const value = values[i]
    text += value === undefined ? 'NULL' : quoted(value)
  }
  return `${text}}`
}

const quoted = (value: string): string =>
  SPECIAL.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`
