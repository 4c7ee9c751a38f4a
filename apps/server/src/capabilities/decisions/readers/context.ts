import { segmentOf, SEGMENTS_MAX } from '@placard/contract/segments'
import type { Context } from '@placard/decision-engine'
import Bowser from 'bowser'

/** What a server says about a reader, checked and in our terms. */
export interface Statement {
  readonly context: Context
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly deviceSessionId: string | undefined
}

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/
const LANGUAGES_LOOKED_AT = 16

/** The language with the highest weight; of equals the first. `*` is ignored. */
export function preferredLanguage(acceptLanguage: string): string | undefined {
  let best: string | undefined
  let bestWeight = 0
  for (const item of acceptLanguage.split(',', LANGUAGES_LOOKED_AT)) {
    const [tag = '', ...parameters] = item.split(';')
    const language = asLanguage(tag)
    const weight = weightOf(parameters)
    if (language === undefined || weight <= bestWeight) continue
    best = language
    bestWeight = weight
  }
  return best
}

/** A language tag in lower case, `de-at`. Also accepts `de_AT`, as some programs write it. */
export function asLanguage(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const tag = text.trim().toLowerCase().replaceAll('_', '-')
  return LANGUAGE.test(tag) ? tag : undefined
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.map((text) => text.trim()).find((text) => /^q\s*=/i.test(text))
  if (given === undefined) return 1
  const weight = Number(given.slice(given.indexOf('=') + 1))
  return weight >= 0 && weight <= 1 ? weight : 0
}

const URL_LENGTH_MAX = 2_048

/** A lower-case host whose last label is not a number, for which every URL parser agrees. */
const PLAIN_ADDRESS =
  /^https?:\/\/((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})(?:[/?#]|$)/

/** The host of a page address as targeting rules write it: lower case, without `www.`. */
export function domainOf(address: string | undefined): string | undefined {
  if (!address || address.length > URL_LENGTH_MAX) return undefined
  const plain = PLAIN_ADDRESS.exec(address)
  if (plain !== null && !plain[1]!.includes('xn--')) return asDomain(plain[1])
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return asDomain(url.hostname)
}

export function asDomain(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 253) return undefined
  const host = text
    .trim()
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '')
  return /^[^\s/:]+$/.test(host) ? host : undefined
}

const PLATFORMS: Readonly<Record<string, Context['device']>> = {
  mobile: 'mobile',
  tablet: 'tablet',
  desktop: 'desktop',
}

/** Televisions, consoles and bots are no device that a targeting rule can name. */
function deviceOf(platform: string, userAgent: string): Context['device'] {
  if (platform === '' && /\bCrOS\b/.test(userAgent)) return 'desktop'
  return PLATFORMS[platform]
}

/** The kind of device behind a user agent. */
export const deviceOfAgent = (userAgent: string): Context['device'] =>
  deviceOf(Bowser.getParser(userAgent).getPlatformType(), userAgent)

const SESSION_ID_LENGTH_MAX = 128

/**
 * Reads what a server says about a reader. Values may be text, as in a dictionary of strings.
 * Nonsense is left out: an ad is better than an error.
 */
export function readStatement(said: Readonly<Record<string, unknown>>): Statement {
  const country = text(said['country'])?.toUpperCase()
  const device = text(said['device'])?.toLowerCase()
  return {
    context: {
      device: device === undefined ? undefined : PLATFORMS[device],
      country: country !== undefined && /^[A-Z]{2}$/.test(country) ? country : undefined,
      language: asLanguage(said['language'] ?? said['lang']),
      segments: asSegments(said['segments'], said['segment']),
      loggedIn: asFlag(said['loggedIn']),
      newVisitor: asFlag(said['newVisitor']),
      referrerDomain: asDomain(said['referrerDomain']) ?? domainOf(text(said['referrer'])),
      lastPurchaseDaysAgo: asDays(said['lastPurchaseDaysAgo']),
      categories: asSegments(said['categories'], undefined),
    },
    ip: text(said['ip']),
    userAgent: text(said['userAgent']),
    deviceSessionId: text(said['deviceSessionId'])?.slice(0, SESSION_ID_LENGTH_MAX),
  }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function asFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === '1') return true
  return value === 'false' || value === '0' ? false : undefined
}

function asDays(value: unknown): number | undefined {
  const days = typeof value === 'string' && value !== '' ? Number(value) : value
  return Number.isSafeInteger(days) && (days as number) >= 0 ? (days as number) : undefined
}

/** A list, or one comma-separated string. Undefined when neither is given. */
function asSegments(list: unknown, single: unknown): readonly string[] | undefined {
  if (list === undefined && single === undefined) return undefined
  const listed: unknown[] = Array.isArray(list) ? list : (text(list)?.split(',') ?? [])
  return namesOf([...listed, single])
}

/** Each name in its one spelling, once. What is no name is left out. */
export function namesOf(given: readonly unknown[]): readonly string[] {
  const names = given.flatMap((name) => segmentOf(text(name) ?? '') ?? [])
  return [...new Set(names)].slice(0, SEGMENTS_MAX)
}

/** Later statements win. Segments and categories are merged. */
export function mergeContexts(...contexts: readonly (Context | undefined)[]): Context {
  const merged: Record<string, unknown> = {}
  for (const context of contexts) {
    for (const [name, value] of Object.entries(context ?? {})) {
      if (value === undefined) continue
      const before = merged[name]
      merged[name] =
        Array.isArray(value) && Array.isArray(before) ? [...new Set([...before, ...value])] : value
    }
  }
  return merged
}
