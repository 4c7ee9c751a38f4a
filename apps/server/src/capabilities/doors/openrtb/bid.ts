import type { Bid, BidRequest } from '@placard/contract/openrtb'
import type { DecisionIndex, Winner } from '@placard/decision-engine'
import {
  type BannerContent,
  type Content,
  type DoorServed,
  type HoldTimes,
  landingOf,
  type Overrides,
  overridesOf,
} from '../../decisions/index.ts'
import { wholeUrl } from '../shared/addresses.ts'
import { advertiserDomain } from '../shared/advertiser-domain.ts'
import { decimal, decimalText } from '../shared/amounts.ts'
import { fillMacros, type MacroValues } from '../shared/macros.ts'
import type { FilmAd } from '../vast/film-ad.ts'
import type { Player } from '../vast/player.ts'
import { filmAdOf } from '../vast/showing.ts'
import type { Sent } from './fields.ts'
import type { MediaLinks, MediaType } from './media.ts'
import type { Question } from './question.ts'

/** The number of the IAB's Ad Product Taxonomy 2.0. */
const AD_PRODUCT_TAXONOMY = 8

export type SentBid = Sent<Bid>

/** What a bid is made of, beside its winner. */
export interface Bidding {
  readonly request: BidRequest
  readonly content: Content
  /** Scheme and host of Placard. */
  readonly address: string
  /** Absent under `test: 1`. */
  readonly links: MediaLinks | undefined
  /** For callers with a key: what its `burl` and `lurl` end with. */
  readonly seal: string | undefined
  readonly holdTimes: HoldTimes
  readonly index: DecisionIndex
  /** A child sees no picture beside a film: nobody decided for it. */
  readonly mayAccompany: boolean
}

/** Undefined without a winner. */
export function bidOf(question: Question, served: DoorServed, it: Bidding): SentBid | undefined {
  const winner = served.showings[0]?.winner
  const banner = winner && it.content.banners.get(winner.bannerKey)
  const shown = banner && question.media.find((one) => one.judge(banner) === undefined)
  if (winner === undefined || banner === undefined || shown === undefined) return undefined
  const { content, links, address, seal } = it
  const overrides = overridesOf(content, winner)
  const landingUrl = landingOf(banner, overrides)
  const showing = { served, winner, landingUrl, it }
  const media = shown.present({
    banner: overrides === undefined ? banner : withOverrides(banner, overrides),
    advertiser: content.advertisers.get(banner.advertiserKey)?.name,
    landingUrl,
    links,
    filmAdFor: (player) => filmAdFor(question, showing, player),
    wholeUrl: (url) => wholeUrl(address, url),
    fillMacros: (markup, more) => fillMacros(markup, { ...macrosOf(question, showing), ...more }),
  })
  const domain = advertiserDomain(content, banner)
  const campaign = campaignOf(content, winner)
  const adProduct = campaign?.adProduct ?? banner.adProduct
  const ad = winner.source === 'auction' ? content.ads.get(winner.key)?.publicId : undefined
  return {
    id: served.record.decisionId,
    impid: question.imp.id,
    price: decimal(winner.chargeMicros),
    adid: ad ?? banner.publicId,
    crid: banner.publicId,
    cid: campaign?.publicId,
    adomain: domain === undefined ? [] : [domain],
    cat: adProduct === null ? undefined : [adProduct],
    cattax: adProduct === null ? undefined : AD_PRODUCT_TAXONOMY,
    mtype: media.mtype,
    w: media.w,
    h: media.h,
    dur: media.dur,
    adm: media.adm,
    nurl: media.nurl,
    // The pixel has the same token: both together are one impression.
    burl:
      links && `${links.address}/t/b/${links.eventToken}${seal === undefined ? '' : `?x=${seal}`}`,
    lurl:
      links && seal && `${links.address}/t/l/${links.eventToken}?x=${seal}&why=\${AUCTION_LOSS}`,
    exp: Math.min(holdSecondsOf(winner, it), question.imp.exp || Infinity),
    dealid: dealIdOf(question, content, winner),
    ext: { prebid: { type: shown.type satisfies MediaType } },
  }
}

/** A booking replaces texts of its banner. */
const withOverrides = (banner: BannerContent, overrides: Overrides): BannerContent => ({
  ...banner,
  headline: overrides.headline ?? banner.headline,
  subheadline: overrides.subheadline ?? banner.subheadline,
  ctaLabel: overrides.ctaLabel ?? banner.ctaLabel,
})

const campaignOf = ({ campaigns }: Content, { campaignKey }: Winner) =>
  campaignKey === undefined ? undefined : campaigns.get(campaignKey)

/** A booking bids under its contract. An ad does where the request names its campaign's deal. */
function dealIdOf({ deals }: Question, { campaigns }: Content, winner: Winner): string | undefined {
  if (winner.campaignKey === undefined) return undefined
  const deal = deals?.byCampaign.get(winner.campaignKey)
  if (deal !== undefined && winner.chargeMicros >= deal.floorMicros) return deal.id
  if (winner.source === 'auction') return undefined
  const campaign = campaigns.get(winner.campaignKey)
  return campaign?.contractRef ?? campaign?.publicId
}

interface Showing {
  readonly served: DoorServed
  readonly winner: Winner
  readonly landingUrl: string | null
  readonly it: Bidding
}

const holdSecondsOf = ({ format }: Winner, { holdTimes }: Bidding): number =>
  (format === 'video' ? holdTimes.videoMs : holdTimes.plainMs) / 1_000

function filmAdFor(question: Question, showing: Showing, player: Player): FilmAd | undefined {
  const { served, winner, it } = showing
  const { content, index, address, links, mayAccompany } = it
  const { decisionId, placementKey, decidedAt } = served.record
  const { bannerKey, campaignKey } = winner
  const assignmentKey = winner.source === 'auction' ? undefined : winner.key
  return filmAdOf(
    { decisionId, bannerKey, campaignKey, placementKey, assignmentKey },
    {
      content,
      index,
      nowMs: decidedAt.getTime(),
      expiresSeconds: holdSecondsOf(winner, it),
      player,
      links,
      mayAccompany,
      macros: macrosOf(question, showing),
      wholeUrl: (url) => wholeUrl(address, url),
    },
  )
}

/** Everything that a caller chose is encoded: it becomes part of an advertiser's markup. */
function macrosOf({ imp, seat, placement }: Question, showing: Showing): MacroValues {
  const { served, winner, landingUrl, it } = showing
  const { request, content, links } = it
  const { decisionId } = served.record
  const clickUrl = links?.clickUrl ?? landingUrl ?? ''
  const { regs, user, site } = request
  return {
    AUCTION_ID: encodeURIComponent(request.id),
    AUCTION_BID_ID: decisionId,
    AUCTION_IMP_ID: encodeURIComponent(imp.id),
    AUCTION_SEAT_ID: encodeURIComponent(seat),
    AUCTION_AD_ID:
      (winner.source === 'auction' ? content.ads.get(winner.key)?.publicId : undefined) ?? '',
    AUCTION_PRICE: decimalText(winner.chargeMicros),
    AUCTION_CURRENCY: placement.currency,
    AUCTION_MBR: '1',
    clickUrl,
    clickUrlEncoded: encodeURIComponent(clickUrl),
    cachebuster: String(Number.parseInt(decisionId.slice(-8), 16)),
    placement: placement.slug,
    pageUrl: encodeURIComponent(site?.page ?? ''),
    gdpr: regs?.gdpr === undefined ? '' : String(regs.gdpr),
    gdprConsent: encodeURIComponent(user?.consent ?? ''),
    gpp: encodeURIComponent(regs?.gpp ?? ''),
    usPrivacy: encodeURIComponent(regs?.us_privacy ?? ''),
  }
}
