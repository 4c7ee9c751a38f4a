import type { BidRequest } from '@placard/contract/openrtb'

/** Domains of advertisers that a request refuses, with everything below them. */
export function blockedDomains({ badv }: BidRequest): ReadonlySet<string> | undefined {
  if (badv === undefined || badv.length === 0) return undefined
  return new Set(
    badv.map((domain) =>
      domain
        .trim()
        .toLowerCase()
        .replace(/^www\./, ''),
    ),
  )
}

/** `shop.brand.example` is blocked with `brand.example`. */
export function isDomainBlocked(blocked: ReadonlySet<string>, domain: string): boolean {
  for (let at = 0; at >= 0; at = domain.indexOf('.', at + 1)) {
    if (blocked.has(at === 0 ? domain : domain.slice(at + 1))) return true
  }
  return false
}

/** Taxonomy of `bcat` where a request names none. */
export const DEFAULT_TAXONOMY = 1
