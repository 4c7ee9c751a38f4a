import { isLink } from '../../../platform/http/links.ts'

/** A banner's UTM values; null or empty adds nothing. */
export interface Utm {
  readonly source: string | null
  readonly medium: string | null
  readonly campaign: string | null
  readonly content: string | null
}

/**
 * The landing page of a banner: its own address plus the UTM parameters it lacks. The existing query
 * and fragment stay byte for byte, because shops sign them.
 */
export function landingUrl(url: string, utm: Utm): string {
  const hash = url.indexOf('#')
  const base = hash === -1 ? url : url.slice(0, hash)
  const fragment = hash === -1 ? '' : url.slice(hash)
  const question = base.indexOf('?')
  const query = question === -1 ? '' : base.slice(question + 1)

  let added = ''
  added += parameter(query, 'utm_source', utm.source)
  added += parameter(query, 'utm_medium', utm.medium)
  added += parameter(query, 'utm_campaign', utm.campaign)
  added += parameter(query, 'utm_content', utm.content)
  if (added === '') return url

  if (question === -1) return `${base}?${added.slice(1)}${fragment}`
  const needsNoAmpersand = query === '' || query.endsWith('&')
  return base + (needsNoAmpersand ? added.slice(1) : added) + fragment
}

/** A parameter that the address already has wins over the banner's. */
function parameter(query: string, name: string, value: string | null): string {
  if (value === null || value === '' || hasParameter(query, name)) return ''
  return `&${name}=${encodeURIComponent(value)}`
}

function hasParameter(query: string, name: string): boolean {
  if (!query.includes(name)) return false
  return query.split('&').some((part) => part === name || part.startsWith(`${name}=`))
}

const CLICK_ID_MACRO = /(?:\{|%7B)click(?:Id|Token)(?:\}|%7D)/i
const IS_WEB = /^https?:/i

/** Adds the click id as a parameter, unless the address has a macro for it. */
export function withClickId(url: string, name: string | undefined, clickId: string): string {
  if (!name || clickId === '' || CLICK_ID_MACRO.test(url) || !IS_WEB.test(url)) return url
  const hash = url.indexOf('#')
  const base = hash === -1 ? url : url.slice(0, hash)
  const fragment = hash === -1 ? '' : url.slice(hash)
  const join = base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?'
  return `${base}${join}${name}=${clickId}${fragment}`
}

/** Where a click leads: the banner's landing page, never an address from the request. */
export interface Destination {
  readonly landingUrl: string
  /** Values for `{name}` in the address. */
  readonly macros: Readonly<Record<string, string>>
}

// oxlint-disable-next-line no-control-regex -- these characters would break the Location header
const UNSAFE = /[\u0000-\u0020\u007f]/

/**
 * The landing page with its macros filled, ready for the `Location` header. Undefined when it is not
 * an address of an allowed scheme.
 */
export function redirectUrl(
  { landingUrl, macros }: Destination,
  schemes?: ReadonlySet<string>,
): string | undefined {
  const filled = fillMacros(landingUrl.trim(), macros)
  return UNSAFE.test(filled) || !isLink(filled, schemes) ? undefined : filled
}

/** Also matches the encoded braces that `landingUrl` writes for a macro in a UTM value. */
const MACRO = /(?:\{|%7B)([a-zA-Z]+)(?:\}|%7D)/gi

/** An unknown name stays as written: it may be a macro of the shop. */
const fillMacros = (text: string, macros: Destination['macros']): string =>
  text.replaceAll(MACRO, (whole, name: string) => {
    const value = macros[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })

const PAGE_URL_CHARACTERS_MAX = 2_048

/** A page's query and fragment may carry secrets, so they are never stored. */
export function withoutQuery(url: string | undefined): string | undefined {
  const [kept] = (url ?? '').split(/[?#]/, 1)
  return kept && !UNSAFE.test(kept) ? kept.slice(0, PAGE_URL_CHARACTERS_MAX) : undefined
}
