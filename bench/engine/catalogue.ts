import { DAY_MS } from '@placard/calendar'
import {
  type Change,
  type Context,
  type DecisionRequest,
  type TargetingRule,
} from '../../packages/decision-engine/src/index.ts'
import { Dice } from './dice.ts'

export const ADS_PER_CAMPAIGN = 4
const SITES = 20
const LINKS_PER_CAMPAIGN = 3
const NOW_MS = Date.UTC(2026, 4, 13, 15, 20)
/** No campaign targets it, so only campaigns without a country rule can serve there. */
export const RARE_COUNTRY = 'AQ'

const COUNTRIES =
  'US IN BR ID CN DE GB FR JP RU MX TR IT ES PL CA KR VN PH TH NL AR CO UA AU EG PK ZA BD MY SE RO CL PE SA BE CZ PT GR HU AT CH DK FI NO IL SG AE KE NG MA IE NZ SK BG HR RS LT LV EE'.split(
    ' ',
  )
const LANGUAGES = ['en', 'de', 'fr', 'hi', 'pt']
const SEGMENTS = Array.from({ length: 40 }, (_, at) => `segment-${at}`)

/** A shop with 10,000 ads has six placements, larger ones up to 50. */
export const placementsFor = (ads: number): number => Math.min(50, Math.max(6, ads / 2000))

/** A catalogue with the given number of ads: Zipf-distributed placements, two or three rules per campaign. */
export function* catalogueOf(ads: number, seed: number): Generator<Change> {
  const dice = new Dice(seed)
  const placements = placementsFor(ads)
  yield* inventory(placements)
  const campaigns = Math.ceil(ads / ADS_PER_CAMPAIGN)
  for (let campaign = 1; campaign <= campaigns; campaign++) {
    yield* campaignRows(campaign, placements, dice)
    for (let at = 0; at < ADS_PER_CAMPAIGN; at++) {
      yield* adRows((campaign - 1) * ADS_PER_CAMPAIGN + at + 1, campaign, dice)
    }
  }
}

function* inventory(placements: number): Generator<Change> {
  for (let key = 1; key <= SITES; key++) {
    yield { put: 'site', record: { key, approvalRequired: key % 4 === 0 } }
  }
  for (let key = 1; key <= placements; key++) {
    yield {
      put: 'placement',
      record: {
        key,
        slug: `placement-${key}`,
        type: ['feed', 'story', 'banner'][key % 3]!,
        siteKey: 1 + (key % SITES),
        mode: 'auction',
        active: true,
        maxBanners: 1,
        allowPartialRender: false,
        rotation: 'ordered',
        floorMicros: 200_000,
        timeZone: ['UTC', 'America/New_York', 'Asia/Kolkata'][key % 3]!,
        sizes: ['300x250', '728x90'],
      },
    }
  }
}

function* campaignRows(key: number, placements: number, dice: Dice): Generator<Change> {
  const pricing = dice.random(0.5) ? 'cpm' : 'cpc'
  yield {
    put: 'campaign',
    record: {
      key,
      advertiserKey: 1 + Math.floor(key / 10),
      status: 'active',
      startsAtMs: NOW_MS - DAY_MS,
      endsAtMs: NOW_MS + DAY_MS * 30,
      pricing,
      bidMicrosMax: 40_000_000,
      bidMultiplier: 0.8 + dice.next() * 0.4,
      mayExceedMax: false,
      rateMicros: 0,
      priority: 0,
      impressionCapReached: false,
      clickCapReached: false,
    },
  }
  for (const placementKey of placementsOf(placements, dice)) {
    yield { put: 'campaign-placement', record: { campaignKey: key, placementKey, active: true } }
  }
  for (const rule of rulesOf(key, dice)) yield { put: 'rule', record: rule }
  if (dice.random(0.3)) yield cap(key * 4, { scope: 'campaign', scopeKey: key })
  if (key % 100 === 0) {
    yield cap(key * 4 + 1, { scope: 'advertiser', scopeKey: 1 + Math.floor(key / 10) })
  }
}

const cap = (key: number, of: { scope: 'ad' | 'campaign' | 'advertiser'; scopeKey: number }) =>
  ({ put: 'cap', record: { key, ...of, impressionsMax: 3, window: 'Day' } }) as const

function placementsOf(placements: number, dice: Dice): Set<number> {
  const chosen = new Set<number>()
  while (chosen.size < LINKS_PER_CAMPAIGN) chosen.add(dice.zipf(placements))
  return chosen
}

function rulesOf(campaignKey: number, dice: Dice): TargetingRule[] {
  const base = { campaignKey, active: true }
  const key = campaignKey * 4
  const rules: TargetingRule[] = [audienceRule({ ...base, key }, dice)]
  const device = dice.random(0.5) ? ['mobile', 'tablet'] : ['mobile', 'desktop']
  rules.push({ ...base, key: key + 1, type: 'device', operator: 'in', value: { values: device } })
  if (dice.random(0.3)) {
    const value = { from: dice.below(12), to: 12 + dice.below(12) }
    rules.push({ ...base, key: key + 2, type: 'hour_of_day', operator: 'between', value })
  }
  return rules
}

function audienceRule(
  base: Pick<TargetingRule, 'key' | 'campaignKey' | 'active'>,
  dice: Dice,
): TargetingRule {
  const draw = dice.next()
  if (draw < 0.7) {
    const count = 1 + dice.below(10)
    const values = Array.from({ length: count }, () => COUNTRIES[dice.zipf(60) - 1]!)
    return { ...base, type: 'country', operator: 'in', value: { values: [...new Set(values)] } }
  }
  if (draw < 0.8) {
    const values = [SEGMENTS[dice.below(40)]!, SEGMENTS[dice.below(40)]!]
    return { ...base, type: 'user_segment', operator: 'in', value: { values } }
  }
  if (draw < 0.9) {
    return { ...base, type: 'language', operator: 'in', value: { values: [dice.pick(LANGUAGES)] } }
  }
  return { ...base, type: 'country', operator: 'not_in', value: { values: ['IN', RARE_COUNTRY] } }
}

function* adRows(key: number, campaignKey: number, dice: Dice): Generator<Change> {
  const isWindowed = dice.random(0.1)
  yield {
    put: 'banner',
    record: {
      key,
      advertiserKey: 1 + Math.floor(campaignKey / 10),
      format: dice.pick(['single_image', 'video', 'html']),
      sizes: ['300x250'],
      active: true,
      scheduleStatus: 'active',
      publishAtMs: NOW_MS - DAY_MS,
      timeZone: dice.pick(['UTC', 'Europe/Berlin', 'America/New_York']),
      recurrenceRule: isWindowed ? 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' : undefined,
      windowStart: isWindowed ? '08:00:00' : undefined,
      windowEnd: isWindowed ? '20:00:00' : undefined,
      evergreenFallback: false,
      priority: 0,
    },
  }
  for (let site = 4; site <= SITES; site += 4) {
    if (dice.random(0.8)) yield { put: 'approval', record: { siteKey: site, bannerKey: key } }
  }
  const bidMicros = Math.round(dice.logNormal() * 2_000_000)
  yield { put: 'ad', record: { key, campaignKey, bannerKey: key, active: true, bidMicros } }
}

export function contextOf(dice: Dice): Context {
  return {
    device: dice.pick(['mobile', 'mobile', 'desktop', 'tablet']),
    country: COUNTRIES[dice.zipf(60) - 1]!,
    language: dice.pick(['en-GB', 'en', 'de', 'fr', 'pt-BR']),
    segments: [dice.pick(SEGMENTS), dice.pick(SEGMENTS), 'high-intent'].slice(dice.below(3)),
    loggedIn: dice.random(0.4),
    newVisitor: dice.random(0.3),
    referrerDomain: 'www.search.example',
  }
}

export function requestOf(dice: Dice, placements: number): DecisionRequest {
  return {
    placementKey: dice.zipf(placements),
    nowMs: NOW_MS + dice.below(3_600_000),
    userKnown: true,
    context: contextOf(dice),
  }
}
