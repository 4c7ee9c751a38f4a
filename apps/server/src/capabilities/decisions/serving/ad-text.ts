import type { Winner } from '@placard/decision-engine'
import { timeTextOf } from '../../../platform/clock.ts'
import type { AdContent, BannerContent, CampaignContent, Content } from '../catalogue/content.ts'
import type { LinkShowing, ShowingLinks } from './links.ts'
import { presentAd } from './present.ts'
import type { Served } from './serve.ts'

/** With more, those that were made first are made again. */
const KEPT_MAX = 20_000

interface Kept {
  readonly ad: AdContent
  readonly banner: BannerContent
  readonly campaign: CampaignContent | undefined
  /** The fields of the answer that are the same at every showing. */
  readonly fields: string
  /** After so many changes it was looked at last: until the next one it needs no look. */
  changes: number
}

/**
 * The answer of an auction as JSON, byte by byte: what `presentAd` says of the ad is put into words
 * once, as long as nothing of it changes, because making the same text again costs as much as
 * deciding.
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
    const { decisionId: _, servedAt: __, ...same } = answer
    const fields = bytesOf(JSON.stringify(same).slice(1, -1))
    const made = { ad, banner, campaign, fields, changes }
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value!)
    kept.set(key, made)
    return made
  }

  /** Undefined for what is no ad of an auction, or is gone by now: `presentAd` knows what to say. */
  return (served: Served, link: LinkShowing | undefined): string | undefined => {
    const winner = served.showings[0]?.winner
    const same = winner?.source === 'auction' ? keep(served, winner) : undefined
    if (same === undefined) return undefined
    const { decisionId, decidedAt } = served.record
    return `{"decisionId":"${decisionId}",${same.fields},${linksText(link?.(served, 0))}"servedAt":"${timeTextOf(decidedAt)}"}`
  }
}

const PLAIN_TEXT = /^[ !#-[\]-~]*$/

/** The address comes from the request: what it says is escaped like all that others write. */
function linksText(links: ShowingLinks | undefined): string {
  if (links === undefined) return ''
  const { impressionUrl, clickUrl, eventToken } = links
  if (PLAIN_TEXT.test(impressionUrl.slice(0, -eventToken.length))) {
    return `"impressionUrl":"${impressionUrl}","clickUrl":"${clickUrl}","eventToken":"${eventToken}",`
  }
  return `${bytesOf(JSON.stringify(links).slice(1, -1))},`
}

/** Each byte of the text in UTF-8 as a character, which is how a text is sent byte by byte. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
