import { DAY_MS, MINUTE_MS } from '@placard/calendar'

/** How a domain was proven; `upgrade`: the site is older than proofs. */
export type DomainProof = 'dns' | 'file' | 'operator' | 'upgrade'

/** Proofs that stand in DNS or on the site, so that we can look whether they still do. */
export type VisibleProof = Extract<DomainProof, 'dns' | 'file'>

export interface ClaimedDomain {
  readonly domain: string
  readonly token: string
  readonly seedUrl: string | null
}

const FILE_PATH = '/.well-known/placard.txt'

/** What the publisher puts into DNS, or into a file of its site. */
export const lineOf = (token: string): string => `placard=${token}`
export const recordNameOf = (domain: string): string => `_placard.${domain}`

/** Where the file may be: at the origin of the seed if that is on the domain, which may name a port; at the domain. */
export function filesOf({ domain, seedUrl }: ClaimedDomain): readonly string[] {
  const seed = seedUrl === null ? null : URL.parse(seedUrl)
  const origins = [
    ...(seed && isOf(domain, seed) ? [seed.origin] : []),
    ...(domain === 'localhost' ? [] : [`https://${domain}`, `http://${domain}`]),
  ]
  return [...new Set(origins)].map((origin) => `${origin}${FILE_PATH}`)
}

/** Whether the address that finally answered is the file of that domain. A redirect elsewhere proves nothing. */
export function isFileOf(domain: string, address: string): boolean {
  const url = URL.parse(address)
  return url !== null && isOf(domain, url) && url.pathname === FILE_PATH
}

const isOf = (domain: string, { hostname }: URL) =>
  hostname === domain || hostname === `www.${domain}`

export const hasLine = (text: string, token: string): boolean =>
  text.split(/\r?\n/).some((line) => line.trim() === lineOf(token))

/** What a look at a domain found. */
export type Sighting =
  | { readonly proof: VisibleProof; readonly faults: readonly [] }
  | { readonly proof: undefined; readonly faults: readonly string[] }

export interface CheckedSite {
  readonly provenBy: DomainProof | null
  readonly looks: number
  readonly failingSince: Date | null
}

export interface CheckVerdict {
  /** The domain is proven from now on, or no longer. */
  readonly becomes: VisibleProof | 'unproven' | undefined
  readonly looks: number
  readonly failingSince: Date | null
  readonly nextAt: Date | null
}

/** A proof that is missing for this long is over: name servers and hosts fail for hours, not for days. */
export const GRACE_MS = 3 * DAY_MS
const AGAIN_MS = DAY_MS
const FIRST_PAUSE_MS = 5 * MINUTE_MS
/** After about two months nobody is looked at without being asked. */
const LOOKS_MAX = 70

/** A proof is looked at every day. A site without one is looked at after 5, 10, 20 minutes …, then daily. */
export function judgeSighting(
  { provenBy, looks, failingSince }: CheckedSite,
  { proof }: Sighting,
  now: Date,
): CheckVerdict {
  const later = (ms: number) => new Date(now.getTime() + ms)
  if (proof !== undefined) {
    const becomes = proof === provenBy ? undefined : proof
    return { becomes, looks: 0, failingSince: null, nextAt: later(AGAIN_MS) }
  }
  if (provenBy === 'operator' || provenBy === 'upgrade') {
    return { becomes: undefined, looks: 0, failingSince: null, nextAt: null }
  }
  if (provenBy !== null) {
    const since = failingSince ?? now
    const isOver = now.getTime() - since.getTime() >= GRACE_MS
    if (!isOver)
      return { becomes: undefined, looks: 0, failingSince: since, nextAt: later(AGAIN_MS / 4) }
    return { becomes: 'unproven', looks: 0, failingSince: null, nextAt: later(FIRST_PAUSE_MS) }
  }
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** looks, AGAIN_MS)
  const nextAt = looks + 1 >= LOOKS_MAX ? null : later(pauseMs)
  return { becomes: undefined, looks: looks + 1, failingSince: null, nextAt }
}
