import type { Winner } from '@placard/decision-engine'
import { timeTextOf } from '../../../platform/clock.ts'
import type { AdContent, BannerContent, CampaignContent, Content } from '../catalogue/content.ts'
import type { LinkShowing, ShowingLinks } from './links.ts'
import { placementOf, presentAd } from './present.ts'
import type { Served } from './serve.ts'

/** Beyond this many texts the oldest are dropped. */
const KEPT_MAX = 20_000

interface Kept {
  readonly ad: AdContent
  readonly banner: BannerContent
  readonly campaign: CampaignContent | undefined
  /** The fields of the answer that are the same for every impression. */
  readonly fields: string
  /**
   * The content's change count at the last check. While it is the same, the text needs no check.
   */
  changes: number
}

/**
 * The JSON of an auction's answer, as bytes. The part that `presentAd` says about the ad is cached
 * until it changes, because writing that text again costs as much as deciding.
 */
export function createAdTexts(content: Content) {
  const kept = new Map<number, Kept>()

  const keep = (served: Served, { key, bannerKey, campaignKey }: Winner): Kept | undefined => {
    const changes = content.adChanges
    const known = kept.get(key)
    if (known?.changes === changes) return known
    const ad = content.ads.get(key)
    const banner = content.banners.get(bannerKey)
    const campaign = campaignKey === undefined ? undefined : content.campaigns.get(campaignKey)
    if (known && known.ad === ad && known.banner === banner && known.campaign === campaign) {
      known.changes = changes
      return known
    }
    const answer = presentAd(content, served, { showsPrices: false })
    if (answer === undefined || ad === undefined || banner === undefined) return undefined
    const { decisionId: _, servedAt: __, placement: ___, ...same } = answer
    const fields = bytesOf(JSON.stringify(same).slice(1, -1))
    const made = { ad, banner, campaign, fields, changes }
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!)
    kept.set(key, made)
    return made
  }

  /** Undefined for anything but an auction's ad that still exists. `presentAd` answers those. */
  return (served: Served, link: LinkShowing | undefined): string | undefined => {
    const winner = served.showings[0]?.winner
    const same = winner?.source === 'auction' ? keep(served, winner) : undefined
    if (same === undefined) return undefined
    const { decisionId, decidedAt } = served.record
    const placement = JSON.stringify(placementOf(content, served)?.slug ?? null)
    return `{"decisionId":"${decisionId}","placement":${placement},${same.fields},${linksText(link?.(served, 0))}"servedAt":"${timeTextOf(decidedAt)}"}`
  }
}

const PLAIN_TEXT = /^[ !#-[\]-~]*$/

/** The address comes from the request, so it is escaped like any text from outside. */
function linksText(links: ShowingLinks | undefined): string {
  if (links === undefined) return ''
  const { impressionUrl, clickUrl, eventToken } = links
  if (PLAIN_TEXT.test(impressionUrl.slice(0, -eventToken.length))) {
    return `"impressionUrl":"${impressionUrl}","clickUrl":"${clickUrl}","eventToken":"${eventToken}",`
  }
  return `${bytesOf(JSON.stringify(links).slice(1, -1))},`
}

/** The text's UTF-8 bytes, one character each: how a text is sent byte by byte. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
