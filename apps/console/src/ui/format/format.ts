import { micros, NO_CURRENCY, toDecimal } from '@placard/money'

/** Formats numbers, money and time. Pure, so that every page formats them alike. */
const LOCALE = 'en-GB'

const amountFormats = new Map<string, Intl.NumberFormat>()

function amountFormat(currency: string, digits: number | undefined): Intl.NumberFormat {
  const key = `${currency} ${digits}`
  let format = amountFormats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, {
      style: 'currency',
      currency: /^[A-Z]{3}$/.test(currency) ? currency : NO_CURRENCY,
      ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    })
    amountFormats.set(key, format)
  }
  return format
}

/** Digits of a currency's smallest coin: two for euros, none for yen. */
const coinDigits = (currency: string): number =>
  amountFormat(currency, undefined).resolvedOptions().maximumFractionDigits ?? 2

/** Micros as an amount. Amounts below the smallest coin keep two digits more. */
export function sayMoney(amount: string | bigint, currency: string): string {
  const value = micros(BigInt(amount))
  const digits = coinDigits(currency)
  const coin = 10n ** BigInt(6 - digits)
  const isTiny = value !== 0n && value < coin && value > -coin
  const text = toDecimal(value) as Intl.StringNumericLiteral
  return amountFormat(currency, isTiny ? digits + 2 : undefined).format(text)
}

const PER_UNIT = 1_000_000n
const AMOUNT = /^(\d{1,12})(?:[.,](\d{1,6}))?$/

/** Typed text as micros. Undefined if it is no amount. */
export function readMoney(text: string): string | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text.replaceAll(/[\s']/g, '')) ?? []
  if (whole === undefined) return undefined
  return String(BigInt(whole) * PER_UNIT + BigInt(fraction.padEnd(6, '0')))
}

/** Typed text as a formatted amount. Text that is no amount stays. */
export function sayTypedMoney(text: string, currency: string): string {
  const amount = readMoney(text)
  return amount === undefined ? text : sayMoney(amount, currency)
}

/** Micros as the text of an input field. */
export const typedMoney = (amount: string | null | undefined) =>
  amount ? toDecimal(micros(BigInt(amount))) : ''

const counts = new Intl.NumberFormat(LOCALE)
const shortCounts = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })

export const sayCount = (value: number) => counts.format(value)
export const sayShortCount = (value: number) =>
  value < 10_000 ? counts.format(value) : shortCounts.format(value)

/** A fraction as a percentage. */
export const saySharePercent = (share: number, digits = 1) =>
  `${(share * 100).toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits })}%`

/** A percentage. */
export const sayPercent = (percent: number, digits = 2) => saySharePercent(percent / 100, digits)

export function sayInstant(instant: string | Date, timeZone: string): string {
  return new Date(instant).toLocaleString(LOCALE, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
}

export function sayClock(instant: string | Date, timeZone: string): string {
  return new Date(instant).toLocaleTimeString(LOCALE, {
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function sayAgo(instant: string | Date, now: number): string {
  const seconds = (new Date(instant).getTime() - now) / 1_000
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit)
  }
  return 'just now'
}

/** The calendar day of an instant in a zone, as `2026-06-15`. */
export function dayIn(instant: Date, timeZone: string): string {
  return instant.toLocaleDateString('sv-SE', { timeZone })
}

export function dayBefore(day: string, days = 1): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() - days)
  return noon.toISOString().slice(0, 10)
}

/** `single_image` → `Single image`. */
export function sayWord(word: string): string {
  const text = word.replaceAll(/[_-]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** An instant as local time of a zone, for a date-and-time field. Whole minutes need no seconds. */
export function typedInstant(instant: string | null | undefined, timeZone: string): string {
  if (!instant) return ''
  const local = new Date(instant).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
  return local.endsWith(':00') ? local.slice(0, 16) : local
}

/** The instant of a local time in a zone. In the hour a clock change skips, the next one. */
export function readInstant(wall: string, timeZone: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(wall)) return null
  const asUtc = Date.parse(`${wall}Z`)
  let instant = asUtc
  for (let round = 0; round < 2; round++) {
    instant += asUtc - Date.parse(`${typedInstant(new Date(instant).toISOString(), timeZone)}Z`)
  }
  return new Date(instant).toISOString()
}
