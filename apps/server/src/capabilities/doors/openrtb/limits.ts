import type { LimitReason, RequestLimits } from '@placard/decision-engine'
import type { BannerContent, Content } from '../../decisions/index.ts'
import { advertiserDomain } from '../shared/advertiser-domain.ts'
import { isDomainBlocked } from './blocks.ts'
import type { Deals } from './deals.ts'
import type { RequestedMedia } from './media.ts'

/** What one impression limits. */
export interface Limiting {
  readonly media: readonly RequestedMedia[]
  readonly floorMicros: number | undefined
  readonly deals: Deals | undefined
  readonly blockedDomains: ReadonlySet<string> | undefined
  readonly blockedProducts: ReadonlySet<string> | undefined
  /** Only pictures over https: the page refuses others. */
  readonly needsHttps: boolean
}

/** Only offers per thousand bid: the price of a bid must be what is paid. */
export function limitsOf(content: Content, limiting: Limiting): RequestLimits {
  const { media, deals, floorMicros, blockedProducts } = limiting
  const [first] = media
  return {
    pricing: 'cpm',
    formats:
      media.length === 1 ? first!.formats : new Set(media.flatMap(({ formats }) => [...formats])),
    sizes: media.length === 1 ? first!.sizes : undefined,
    blockedAdProducts: blockedProducts,
    bookedFloorMicros: floorMicros,
    dealFloorsMicros: deals && floorsOf(deals),
    campaigns: deals?.isPrivate ? new Set(deals.byCampaign.keys()) : undefined,
    judgeBanner: judgeOf(content, limiting),
  }
}

const floorsOf = ({ byCampaign }: Deals): ReadonlyMap<number, number> =>
  new Map([...byCampaign].map(([key, { floorMicros }]) => [key, floorMicros]))

/** What only the door can judge. Undefined if the engine's own limits say everything. */
function judgeOf(content: Content, limiting: Limiting): RequestLimits['judgeBanner'] {
  const { media, blockedDomains, needsHttps } = limiting
  const isPlain = media.length === 1 && media[0]!.type === 'banner'
  if (isPlain && blockedDomains === undefined && !needsHttps) return undefined
  return (key) => {
    const banner = content.banners.get(key)
    if (banner === undefined) return 'request-format'
    if (needsHttps && banner.images.primary.startsWith('http:')) return 'request-format'
    if (isBlocked(content, banner, blockedDomains)) return 'request-blocked'
    return isPlain ? undefined : judgeMedia(media, banner)
  }
}

function isBlocked(
  content: Content,
  banner: BannerContent,
  blocked: ReadonlySet<string> | undefined,
): boolean {
  if (blocked === undefined) return false
  const domain = advertiserDomain(content, banner)
  return domain !== undefined && isDomainBlocked(blocked, domain)
}

/** Undefined if one media type can show the banner; else what the last one lacks. */
function judgeMedia(
  media: readonly RequestedMedia[],
  banner: BannerContent,
): LimitReason | undefined {
  let reason: LimitReason | undefined = 'request-format'
  for (const one of media) {
    const found = one.judge(banner)
    if (found === undefined) return undefined
    if (found !== 'request-format') reason = found
  }
  return reason
}
