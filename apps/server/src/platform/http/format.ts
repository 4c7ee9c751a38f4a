import type { ErrorObject } from 'ajv'
import { isZoneName } from '@placard/calendar'
import { isCountry } from '@placard/contract/countries'

/** A format of the contract that JSON Schema does not define. */
export interface Format {
  readonly holds: (text: string) => boolean
  /** What is wrong with a text that it does not hold for. */
  faultOf?(text: string): string
}

export type Formats = Readonly<Record<string, Format>>

/** What people write for a country that has another code. */
const MISTAKEN: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR', EN: 'GB', TP: 'TL' }

export const COUNTRY: Format = {
  holds: isCountry,
  faultOf(text) {
    const meant = MISTAKEN[text.toUpperCase()] ?? text.trim().toUpperCase()
    const hint = isCountry(meant) ? `write ${quote(meant)}` : 'write a code such as "DE"'
    return `${quote(text)} is not a country code of ISO 3166-1: ${hint}`
  },
}

export const TIME_ZONE: Format = {
  holds: isZoneName,
  faultOf: (text) => `${quote(text)} is not the name of a time zone, such as Europe/Berlin or UTC`,
}

const QUOTED_MAX = 60

/** Text of a request as a fault repeats it: short, and on one line. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text.toWellFormed())

/** Faults in words; of a text with a format, the pattern adds nothing. */
export function inWords(
  errors: ErrorObject[] | null | undefined,
  formats: Formats,
): ErrorObject[] | null {
  if (!errors) return null
  const named = errors.map((error) => {
    const format = error.keyword === 'format' ? formats[String(error.params.format)] : undefined
    const message = format?.faultOf?.(String(error.data))
    return message === undefined ? error : { ...error, message }
  })
  const formatted = new Set(
    named.flatMap((one) => (one.keyword === 'format' ? one.instancePath : [])),
  )
  return named.filter((one) => one.keyword !== 'pattern' || !formatted.has(one.instancePath))
}
