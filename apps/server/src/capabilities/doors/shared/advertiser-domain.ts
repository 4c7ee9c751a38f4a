import type { BannerContent, Content } from '../../decisions/index.ts'

/**
 * The advertiser's domain for exchanges: its own, else the host of the landing page without `www.`.
 * Undefined if it has neither.
 */
export function advertiserDomain(
  { advertisers }: Pick<Content, 'advertisers'>,
  { advertiserKey, landingUrl }: Pick<BannerContent, 'advertiserKey' | 'landingUrl'>,
): string | undefined {
  const own = advertisers.get(advertiserKey)?.domain
  return own ?? (landingUrl === null ? undefined : hostOf(landingUrl))
}

const hostOf = (url: string): string | undefined =>
  URL.parse(url)?.hostname.replace(/^www\./, '') || undefined
