import { hash } from 'node:crypto'

/** How far a page is: not fetched yet, read, no longer there, not for us, or out of reach. */
export type PageState = 'waiting' | 'read' | 'gone' | 'refused' | 'failed'

/** What is known of a page is good for so long. */
export const PAGE_LIFE_MS = 48 * 3_600_000
export const URL_CHARACTERS_MAX = 2_000

const TRACKING =
  /^(utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|twclid|ttclid|yclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_\w+|s_cid|ref_src|spm|scm|pk_\w+|piwik_\w+|matomo_\w+)$/i

export interface UrlRules {
  /** The site's own domain; its subdomain `www` is the same site. */
  readonly domain: string
  /** Different queries are different pages. */
  readonly keepUrlQueries: boolean
}

/**
 * The one form of a page's address: no fragment, no tracking parameters, other parameters in order or
 * not at all, no port that goes without saying. Undefined when it is not a page of the site.
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

/** A page's key: 64 bits of its canonical address, as links and events carry it. Equals `pages.key`. */
export const pageKeyOf = (url: string): string => hash('md5', url, 'hex').slice(0, 16)

const byNameAndValue = ([a, x]: [string, string], [b, y]: [string, string]) =>
  a === b ? compare(x, y) : compare(a, b)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const LOOPBACK = new Set(['127.0.0.1', '[::1]'])

/** This machine has one name. */
const hostOf = ({ hostname }: URL) =>
  LOOPBACK.has(hostname) ? 'localhost' : hostname.replace(/\.$/, '')

export interface PageFacts {
  readonly classifiedAt: Date | null
  readonly correctedAt: Date | null
}

/** What a person said stays; what a classifier said is good for 48 hours. */
export function isFresh({ classifiedAt, correctedAt }: PageFacts, now: Date): boolean {
  if (correctedAt !== null) return true
  return classifiedAt !== null && now.getTime() - classifiedAt.getTime() <= PAGE_LIFE_MS
}
