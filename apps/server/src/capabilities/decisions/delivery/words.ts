import type { DELIVERY_ACTIONS, DeliveryCode } from '@placard/contract/delivery'
import { REASON_TEXT } from '@placard/decision-engine'
import {
  IDLE_TEXT,
  NOT_CHECKED_TEXT,
  OTHER_CHANNEL_TEXT,
  startText,
} from '../../campaigns/index.ts'
import type { Content } from '../catalogue/content.ts'
import { sayIn } from '../explain/words.ts'
import { bidNeeded, type Chance, type DeliveryState, ruleShares, type Verdict } from './verdict.ts'

/** What a line is about, and what its reader may see. */
export interface Telling {
  readonly of: 'campaign' | 'ad' | 'placement'
  readonly content: Content
  readonly currency: string | undefined
  /** What the verdict was reached from. */
  readonly chances: readonly Chance[]
  /** Others' prices are for the platform's own people. */
  readonly showsBids: boolean
  readonly startsAtMs: number | undefined
}

const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  delivering: 'Delivering',
  limited: 'Limited',
  'not-delivering': 'Not delivering',
}

/** State and reason in one line. */
export function sayVerdict({ state, code, chance }: Verdict, telling: Telling): string {
  if (code === null) return STATE_WORDS[state]
  const say = SAYINGS[code]
  const text = typeof say === 'string' ? say : say(placeOf(chance, telling), telling)
  return `${STATE_WORDS[state]}: ${OF_CAMPAIGN.has(code) ? ofCampaign(text, telling) : text}`
}

/** Of an ad, "it is paused" would be a lie. */
const OF_CAMPAIGN: ReadonlySet<DeliveryCode> = new Set([
  'draft',
  'scheduled',
  'paused',
  'ended',
  'cancelled',
  'before-flight',
  'after-flight',
  'pacing',
])

const ofCampaign = (text: string, { of }: Telling): string =>
  of === 'campaign'
    ? text
    : text.replace(/^its? /, (it) => (it === 'it ' ? 'its campaign ' : 'its campaign’s '))

interface Place {
  readonly chance: Chance | undefined
  /** Slug. */
  readonly placement: string
  /** Domain, else the placement. */
  readonly site: string
}

function placeOf(chance: Chance | undefined, { content }: Telling): Place {
  const placement = content.placements.get(chance?.standing.placementKey ?? 0)
  const site = content.sites.get(placement?.siteKey ?? 0)
  const slug = placement?.slug ?? 'its placement'
  return { chance, placement: slug, site: site?.domain ?? slug }
}

type Saying = string | ((place: Place, telling: Telling) => string)

const SAYINGS: { readonly [Code in DeliveryCode]: Saying } = {
  ...IDLE_TEXT,
  scheduled: (_, { startsAtMs }) => `it starts ${instantText(startsAtMs)}`,
  'other-channel': OTHER_CHANNEL_TEXT,
  'not-checked': NOT_CHECKED_TEXT,
  'serving-off': 'ad serving is switched off for the whole installation',
  'no-ads': 'it has no ad and no booked banner',
  'no-placement': 'it is booked on no placement',
  'ad-not-active': (_, { of }) => (of === 'ad' ? 'the ad is paused' : 'its ads are paused'),
  'banner-not-active': 'its banner is switched off',
  'impression-cap-reached': 'all booked impressions are delivered',
  'click-cap-reached': 'all booked clicks are delivered',
  'before-flight': (_, { startsAtMs }) => `it starts ${instantText(startsAtMs)}`,
  'after-flight': 'its end date has passed',
  'banner-expired': 'its banner has expired',
  'before-publish': 'its banner is not published yet',
  'off-recurrence': 'its banner does not run today',
  'outside-window': 'its banner does not run at this time of day',
  'not-linked': 'it is not booked on the placement',
  'placement-off': ({ placement }) => `the placement ${placement} is switched off`,
  'site-off': ({ site }) => `the site ${site} is switched off`,
  'domain-unproven': ({ site }) => `nobody has proven that ${site} is the publisher’s`,
  'other-mode': ({ placement, chance }) =>
    chance?.standing.kind === 'ad'
      ? `the placement ${placement} takes bookings only, no auctions`
      : `the placement ${placement} takes auctions only, no bookings`,
  size: ({ placement, chance }, { content }) =>
    `its banner is ${sizesOf(chance, content)}, which does not fit ${placement}`,
  format: ({ placement, chance }, { content }) =>
    `the placement ${placement} takes no ${formatOf(chance, content)}`,
  currency: ({ placement }, { currency }) =>
    `it bids in ${currency ?? 'another currency'}, ${placement} sells in another one`,
  'advertiser-blocked': ({ site }) => `the site ${site} blocks the advertiser`,
  'ad-product-blocked': ({ site }) => `the site ${site} refuses what it advertises`,
  'not-approved': ({ site }) => `waits for approval on ${site}`,
  'budget-total': 'its total budget is spent',
  'budget-day': 'today’s budget is spent',
  'budget-advertiser': 'the advertiser’s budget of today is spent',
  pacing: 'it is ahead of its plan for the day and waits',
  'no-requests': 'no page has asked for ads on its placements in the last 24 hours',
  targeting: (_, { chances }) => sayRules(chances),
  frequency: 'its readers have seen it as often as its caps allow',
  'below-floor': (_, telling) => sayBid(telling, 'its bid is below the floor'),
  outbid: (_, telling) => sayBid(telling, 'others bid more'),
  'slots-full': ({ placement }) => `bookings take every place of ${placement}`,
  'no-campaign': 'no campaign is booked on it',
  unfilled: 'most requests get no ad',
}

function sayRules(chances: readonly Chance[]): string {
  const shares = ruleShares(chances).slice(0, 3)
  const rules = shares.map(({ rule, passes }) => `${sayRule(rule)} ${sayShare(passes)}`).join(', ')
  const isNone = chances.every(({ replay }) => replay.admitted === 0)
  return isNone
    ? `no request of the last 24 hours fits its targeting (${rules})`
    : `few requests of the last 24 hours fit its targeting (${rules})`
}

const sayRule = (rule: string): string => rule.replaceAll(/[_-]/g, ' ')

export function sayShare(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 1 ? 'under 1 %' : `${Math.round(percent)} %`
}

function sayBid({ chances, currency, showsBids }: Telling, text: string): string {
  const needed = showsBids ? bidNeeded(chances) : undefined
  if (needed === undefined) return text
  const own = Math.max(...chances.map(({ standing }) => standing.effectiveBidMicros))
  const say = sayIn({ currency })
  const rounded = (micros: number) => say(Math.ceil(micros / 10_000) * 10_000)
  return `${text}; ${rounded(needed)} instead of ${say(own)} would have won half of the requests it lost`
}

const bannerOf = (chance: Chance | undefined, { banners }: Content) =>
  banners.get(chance?.standing.bannerKey ?? 0)

const sizesOf = (chance: Chance | undefined, content: Content): string =>
  bannerOf(chance, content)?.sizes.join(', ').replaceAll('x', '×') || 'of another size'

const formatOf = (chance: Chance | undefined, content: Content): string =>
  bannerOf(chance, content)?.format.replaceAll('_', ' ') ?? 'banner of this format'

const instantText = (ms: number | undefined): string =>
  startText(ms === undefined ? undefined : new Date(ms))

/** A rule in a sentence, for who asks which one keeps readers out. */
export const textOfRule = (rule: keyof typeof REASON_TEXT): string => REASON_TEXT[rule]

type ActionKind = (typeof DELIVERY_ACTIONS)[number]

/** What mends each reason. Without one, time does, or nothing can. */
export const ACTION_OF: { readonly [Code in DeliveryCode]?: ActionKind } = {
  draft: 'start-campaign',
  scheduled: 'start-campaign',
  paused: 'start-campaign',
  'serving-off': 'turn-on-serving',
  'no-ads': 'add-ad',
  'no-placement': 'book-placement',
  'ad-not-active': 'start-ad',
  'banner-not-active': 'open-banner',
  'impression-cap-reached': 'raise-goal',
  'click-cap-reached': 'raise-goal',
  'before-flight': 'edit-dates',
  'after-flight': 'edit-dates',
  'banner-expired': 'open-banner',
  'before-publish': 'open-banner',
  'off-recurrence': 'open-banner',
  'outside-window': 'open-banner',
  'not-linked': 'book-placement',
  'placement-off': 'open-placement',
  'site-off': 'open-site',
  'domain-unproven': 'open-site',
  'other-mode': 'book-placement',
  size: 'book-placement',
  format: 'book-placement',
  currency: 'book-placement',
  'advertiser-blocked': 'book-placement',
  'ad-product-blocked': 'book-placement',
  'not-approved': 'approve',
  'budget-total': 'raise-budget',
  'budget-day': 'raise-budget',
  'budget-advertiser': 'raise-advertiser-budget',
  pacing: 'raise-budget',
  'no-requests': 'check-tag',
  targeting: 'edit-targeting',
  frequency: 'edit-caps',
  'below-floor': 'raise-bid',
  outbid: 'raise-bid',
  'slots-full': 'book-placement',
  'no-campaign': 'open-placement',
  unfilled: 'open-placement',
}
