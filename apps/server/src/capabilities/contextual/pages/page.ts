import { hash } from 'node:crypto'

/** State of a page: queued, read, gone, refused by robots.txt or not HTML, or unreachable. */
export type PageState = 'waiting' | 'read' | 'gone' | 'refused' | 'failed'

/** Classifier results expire after this time. */
export const PAGE_LIFE_MS = 48 * 3_600_000
export const URL_CHARACTERS_MAX = 2_000

const TRACKING =
  /^(utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|twclid|ttclid|yclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_\w+|s_cid|ref_src|spm|scm|pk_\w+|piwik_\w+|matomo_\w+)$/i

export interface UrlRules {
  /** The site's own domain. Its subdomain `www` is the same site. */
  readonly domain: string
  /** Different queries are different pages. */
  readonly keepUrlQueries: boolean
}

/**
 * The normal form of a page's address: no fragment, no tracking parameters, other parameters sorted
 * or dropped, no default port. Undefined if it is not a page of the site.
 */
export function canonicalUrl(
  text: string,
  { domain, keepUrlQueries }: UrlRules,
): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (hostOf(url) !== domain && hostOf(url) !== `www.${domain}`) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  url.hostname = hostOf(url)
  if (keepUrlQueries) {
    const kept = [...url.searchParams].filter(([name]) => !TRACKING.test(name))
    url.search = new URLSearchParams(kept.toSorted(byNameAndValue)).toString()
  } else url.search = ''
  url.pathname = url.pathname.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return url.href.length <= URL_CHARACTERS_MAX ? url.href : undefined
}

/**
 * A page's key: 64 bits of a hash of its normal form, as links and events carry it. Equals
 * `pages.key`.
 */
export const pageKeyOf = (url: string): string => hash('md5', url, 'hex').slice(0, 16)

const byNameAndValue = ([a, x]: [string, string], [b, y]: [string, string]) =>
  a === b ? compare(x, y) : compare(a, b)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const LOOPBACK = new Set(['127.0.0.1', '[::1]'])

/** This machine under its different names. */
const hostOf = ({ hostname }: URL) =>
  LOOPBACK.has(hostname) ? 'localhost' : hostname.replace(/\.$/, '')

export interface PageFacts {
  readonly classifiedAt: Date | null
  readonly correctedAt: Date | null
}

/** Corrections stay; classifier results are fresh for 48 hours. */
export function isFresh({ classifiedAt, correctedAt }: PageFacts, now: Date): boolean {
  if (correctedAt !== null) return true
  return classifiedAt !== null && now.getTime() - classifiedAt.getTime() <= PAGE_LIFE_MS
}
