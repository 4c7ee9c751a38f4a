import { isLink } from '../../../platform/http/links.ts'

/** Where a click leads: the ad's own address, never one that the request brings. */
export interface Destination {
  readonly url: string
  /** Parameters to add where the address does not have them: `utm_source` and others. */
  readonly parameters: Readonly<Record<string, string>>
  /** What `{name}` stands for in the address and in the parameters. */
  readonly macros: Readonly<Record<string, string>>
}

// oxlint-disable-next-line no-control-regex -- these are the characters that break a header
const UNSAFE = /[\u0000-\u0020\u007f]/

/**
 * The address with macros filled and parameters added; all else stays as it was written, fragment
 * included. Undefined when it is no address of an allowed scheme.
 */
export function landingUrl(
  { url, parameters, macros }: Destination,
  schemes?: ReadonlySet<string>,
): string | undefined {
  const filled = fillMacros(url.trim(), macros)
  if (UNSAFE.test(filled) || !isLink(filled, schemes)) return undefined

  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(filled)!
  const parts = [...(query ? [query] : []), ...missingFrom(query ?? '', parameters, macros)]
  const isBare = query === undefined && parts.length === 0
  return `${address}${isBare ? '' : `?${parts.join('&')}`}${fragment}`
}

function missingFrom(
  query: string,
  parameters: Destination['parameters'],
  macros: Destination['macros'],
): string[] {
  const present = new Set(new URLSearchParams(query).keys())
  return Object.entries(parameters)
    .filter(([name, value]) => value !== '' && !present.has(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${parameterValue(value, macros)}`)
}

const parameterValue = (value: string, macros: Destination['macros']): string =>
  encodeURIComponent(value.replaceAll(MACRO, (whole, name: string) => macros[name] ?? whole))

const MACRO = /\{([a-zA-Z]+)\}/g
const WRITTEN_MACRO = /(?:\{|%7B)([a-zA-Z]+)(?:\}|%7D)/gi

/** A name that means nothing here is left as it is: it may mean something to the shop. */
const fillMacros = (text: string, macros: Destination['macros']): string =>
  text.replaceAll(WRITTEN_MACRO, (whole, name: string) => {
    const value = macros[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })

/** Page addresses may carry secrets behind the question mark. */
export function withoutQuery(url: string | undefined): string | undefined {
  const [kept] = (url ?? '').split(/[?#]/, 1)
  return kept && !UNSAFE.test(kept) ? kept.slice(0, 2_048) : undefined
}
