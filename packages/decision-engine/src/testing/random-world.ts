import type { PageRequest } from '../decide/decide-page.ts'
import type { Shortlist } from '../decide/shortlist.ts'
import { seededDraws } from '../decide/draws.ts'
import type {
  Ad,
  Assignment,
  Banner,
  Campaign,
  CapScope,
  Change,
  Placement,
  TargetingRule,
} from '../changes/records.ts'
import type { DecisionRequest } from '../decide/run.ts'
import type { Context } from '../decide/targeting.ts'
import { RULES } from './random-schedules.ts'
import * as words from './random-words.ts'
import { randomLimits } from './random-limits.ts'
import { conversionOdds, learnedBid } from './random-learned.ts'
import type { PlainLiveState } from './plain-live.ts'

const WORDS = { sizes: words.SIZES, formats: words.FORMATS, products: words.PRODUCTS }
/** Times around a New York clock change, which makes a day of 23 hours. */
const ORIGIN_MS = Date.UTC(2026, 2, 8, 6, 30)
const HOUR_MS = 3_600_000

/** Random rows, requests and live state from a seed. Few keys, so that rows collide often. */
export class RandomWorld {
  readonly size: number
  private readonly draws
  /** What each publisher sells in. */
  private readonly currencies: Readonly<Record<number, string | undefined>>

  constructor(seed: number, size: number) {
    this.size = size
    this.draws = seededDraws(seed)
    const currency = () => this.maybe(0.3, () => this.pick(['USD', 'EUR']))
    this.currencies = { 1: currency(), 2: currency() }
  }

  int(below: number): number {
    return Math.floor(this.draws.next() * below)
  }

  random(share: number): boolean {
    return this.draws.next() < share
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(values.length)]!
  }

  some<T>(values: readonly T[]): T[] {
    const chosen = values.filter(() => this.random(0.4))
    return chosen.length > 0 ? chosen : [this.pick(values)]
  }

  maybe<T>(share: number, make: () => T): T | undefined {
    return this.random(share) ? make() : undefined
  }

  key(): number {
    return 1 + this.int(this.size)
  }

  nowMs(): number {
    return ORIGIN_MS + this.int(60) * HOUR_MS * 0.5
  }

  /** A catalogue with more ads than other rows. Most ads can serve. */
  catalogue(): Change[] {
    const changes: Change[] = []
    const n = this.size
    const repeat = (times: number, make: (key: number) => Change) => {
      for (let key = 1; key <= times; key++) changes.push(make(key))
    }
    repeat(2, (key) => ({ put: 'site', record: { key, approvalRequired: this.random(0.2) } }))
    repeat(3, (key) => ({ put: 'placement', record: this.placement(key) }))
    repeat(n, (key) => ({ put: 'campaign', record: this.campaign(key) }))
    repeat(n, (key) => ({ put: 'banner', record: this.banner(key) }))
    repeat(n * 2, (key) => ({ put: 'ad', record: this.ad(key) }))
    repeat(n * 3, () => this.campaignPlacement())
    repeat(n, (key) => ({ put: 'assignment', record: this.assignment(key) }))
    repeat(Math.ceil(n * 0.7), (key) => ({ put: 'rule', record: this.rule(key) }))
    repeat(Math.ceil(n / 2), (key) => this.cap(key))
    repeat(n, () => this.approval())
    repeat(Math.ceil(n / 2), () => learnedBid(this, this.key()))
    repeat(n, (key) => conversionOdds(this, key))
    if (this.random(0.3)) changes.push(this.block())
    return changes
  }

  /** A random change: puts another version of a row, or removes one. */
  change(): Change {
    const key = this.key()
    const makers: readonly (() => Change)[] = [
      () => ({ put: 'campaign', record: this.campaign(key) }),
      () => ({ put: 'ad', record: this.ad(this.int(this.size * 2) + 1) }),
      () => ({ put: 'banner', record: this.banner(key) }),
      () => ({ put: 'assignment', record: this.assignment(key) }),
      () => ({ put: 'rule', record: this.rule(key) }),
      () => this.cap(key),
      () => this.campaignPlacement(),
      () => this.approval(),
      () => this.block(),
      () => ({ put: 'placement', record: this.placement(1 + this.int(3)) }),
      () => ({
        put: 'site',
        record: { key: 1 + this.int(2), approvalRequired: this.random(0.3) },
      }),
      () => ({ put: 'spend-verdict', record: { campaignKey: key, verdict: this.verdict() } }),
      () => learnedBid(this, key),
      () => conversionOdds(this, this.int(this.size * 2) + 1),
      () => ({ remove: this.pick(REMOVABLE), key }),
      () => this.unlink(),
    ]
    return this.pick(makers)()
  }

  private verdict() {
    return this.pick(['may-spend', 'exhausted', 'ahead-of-plan'] as const)
  }

  private unlink(): Change {
    const siteKey = 1 + this.int(2)
    const key = this.key()
    return this.pick<Change>([
      { remove: 'rule', record: { key, campaignKey: this.campaignOfRule(key) } },
      {
        remove: 'campaign-placement',
        record: { campaignKey: this.key(), placementKey: 1 + this.int(3) },
      },
      { remove: 'approval', record: { siteKey, bannerKey: this.key() } },
      { remove: 'advertiser-block', record: { siteKey, advertiserKey: 1 + this.int(3) } },
      { remove: 'ad-product-block', record: { siteKey, category: this.pick(words.PRODUCTS) } },
    ])
  }

  placement(key: number): Placement {
    const publisherKey = this.pick(words.PUBLISHERS)
    return {
      key,
      slug: `place-${key}`,
      type: this.pick(words.TYPES),
      publisherKey,
      siteKey: this.maybe(0.6, () => 1 + this.int(2)),
      mode: this.pick(['direct', 'auction', 'hybrid', 'auction'] as const),
      active: this.random(0.95),
      maxBanners: 1 + this.int(3),
      allowPartialRender: this.random(0.5),
      rotation: this.pick(['ordered', 'weighted'] as const),
      floorMicros: this.pick([0, 0, 500_000, 3_000_000]),
      timeZone: this.pick(words.ZONES),
      currency: this.currencies[publisherKey],
      width: this.maybe(0.7, () => this.pick([300, 728])),
      height: this.maybe(0.7, () => this.pick([90, 250])),
      sizes: this.maybe(0.3, () => this.some(words.SIZES)),
      formats: this.maybe(0.2, () => this.some(words.FORMATS)),
    }
  }

  campaign(key: number): Campaign {
    return {
      key,
      advertiserKey: 1 + this.int(3),
      status: this.random(0.9) ? 'active' : this.pick(['draft', 'paused', 'ended'] as const),
      startsAtMs: this.maybe(0.1, () => this.nowMs()),
      endsAtMs: this.maybe(0.1, () => this.nowMs()),
      pricing: this.pick(['cpm', 'cpc'] as const),
      currency: this.maybe(0.3, () => this.pick(['USD', 'EUR'])),
      bidMicrosMax: this.maybe(0.3, () => 1_000_000 * (1 + this.int(5))),
      bidMultiplier: this.pick([1, 1, 1, 0.5, 1.37, 2]),
      targetMicros: this.maybe(0.4, () => this.pick([1_000_000, 20_000_000, 45_000_000])),
      mayExceedMax: this.random(0.3),
      rateMicros: this.pick([0, 1_000_000, 2_500_001]),
      priority: this.int(3),
      categories: this.maybe(0.25, () => this.some(words.CATEGORIES)),
      runsOnUnknownPages: this.random(0.3),
      adProductCategory: this.maybe(0.2, () => this.pick(words.PRODUCTS)),
      exclusionLabels: this.maybe(0.3, () => this.some(words.LABELS)),
      impressionCapReached: this.random(0.05),
      clickCapReached: this.random(0.05),
    }
  }

  ad(key: number): Ad {
    return {
      key,
      campaignKey: this.key(),
      bannerKey: this.key(),
      active: this.random(0.95),
      // Few values, so that ties occur.
      bidMicros: this.pick([0, 500_000, 1_000_000, 1_000_000, 2_000_000, 2_345_678, 50_000_000]),
      ctrOdds: this.maybe(0.2, () => this.pick([0.2, 1, 1.5, 4, 1000])),
      quality: this.maybe(0.1, () => this.pick([0.5, 1, 1.3])),
    }
  }

  banner(key: number): Banner {
    const hasWindow = this.random(0.1)
    return {
      key,
      advertiserKey: 1 + this.int(3),
      format: this.pick(words.FORMATS),
      sizes: this.maybe(0.4, () => this.some(words.SIZES)),
      active: this.random(0.95),
      scheduleStatus: this.random(0.7)
        ? 'evergreen'
        : this.pick(['scheduled', 'active', 'expired', 'draft'] as const),
      publishAtMs: this.maybe(0.5, () => this.nowMs()),
      expiresAtMs: this.maybe(0.3, () => this.nowMs()),
      timeZone: this.pick(words.ZONES),
      recurrenceRule: this.maybe(0.15, () => this.pick(RULES)),
      windowStart: hasWindow ? this.pick(['22:00:00', '01:30:00', '09:00:00']) : undefined,
      windowEnd: hasWindow ? this.pick(['03:00:00', '17:00:00', '23:59:59']) : undefined,
      adProductCategory: this.maybe(0.4, () => this.pick(words.PRODUCTS)),
      evergreenFallback: this.random(0.15),
      housePublisherKey: this.maybe(0.3, () => 1 + this.int(2)),
      priority: this.int(2),
    }
  }

  private assignment(key: number): Assignment {
    return {
      key,
      campaignKey: this.key(),
      placementKey: 1 + this.int(3),
      bannerKey: this.key(),
      active: this.random(0.95),
      displayOrder: this.int(3),
      weight: this.pick([1, 50, 100]),
      isFallback: this.random(0.3),
      fallbackPriority: this.maybe(0.5, () => this.int(3)),
    }
  }

  private campaignPlacement(): Change {
    const record = {
      campaignKey: this.key(),
      placementKey: 1 + this.int(3),
      active: this.random(0.95),
    }
    return { put: 'campaign-placement', record }
  }

  private approval(): Change {
    return { put: 'approval', record: { siteKey: 1 + this.int(2), bannerKey: this.key() } }
  }

  private block(): Change {
    const siteKey = 1 + this.int(2)
    return this.random(0.5)
      ? { put: 'advertiser-block', record: { siteKey, advertiserKey: 1 + this.int(3) } }
      : { put: 'ad-product-block', record: { siteKey, category: this.pick(words.PRODUCTS) } }
  }

  private cap(key: number): Change {
    const scope = this.pick<CapScope>(['ad', 'campaign', 'advertiser'])
    const record = {
      key,
      scope,
      scopeKey: this.key(),
      impressionsMax: 1 + this.int(3),
      window: this.pick(words.WINDOWS),
    }
    return { put: 'cap', record }
  }

  private campaignOfRule(key: number): number {
    return 1 + ((key * 5) % this.size)
  }

  rule(key: number): TargetingRule {
    const base = { key, campaignKey: this.campaignOfRule(key), active: this.random(0.9) }
    const listed = (values: readonly (string | number)[]) => ({ values: this.some(values) })
    const inOrNot = this.pick(['in', 'not_in'] as const)
    const hours = Array.from({ length: 24 }, (_, hour) => hour)
    return this.pick<() => TargetingRule>([
      () => ({ ...base, type: 'device', operator: inOrNot, value: listed(DEVICES) }),
      () => ({ ...base, type: 'country', operator: inOrNot, value: listed(words.COUNTRIES) }),
      () => ({ ...base, type: 'language', operator: inOrNot, value: listed(words.LANGUAGES) }),
      () => ({
        ...base,
        type: 'user_segment',
        operator: this.pick(['in', 'not_in', 'contains_all'] as const),
        value: listed(words.SEGMENTS),
      }),
      () => ({
        ...base,
        type: 'login_state',
        operator: 'eq',
        value: { value: this.pick(['logged_in', 'guest']) },
      }),
      () => ({ ...base, type: 'hour_of_day', operator: inOrNot, value: listed(hours) }),
      () => ({
        ...base,
        type: 'hour_of_day',
        operator: 'between',
        value: { from: this.int(24), to: this.int(24) },
      }),
      () => ({ ...base, type: 'day_of_week', operator: inOrNot, value: listed([0, 1, 2, 6]) }),
      () => ({
        ...base,
        type: 'new_visitor',
        operator: 'eq',
        value: { value: this.random(0.5) },
      }),
      () => ({
        ...base,
        type: 'referrer_domain',
        operator: this.pick(['in', 'not_in', 'ends_with'] as const),
        value: listed(words.HOSTS),
      }),
    ])()
  }

  private context(): Context {
    return {
      device: this.maybe(0.8, () => this.pick(DEVICES)),
      country: this.maybe(0.9, () => this.pick(words.COUNTRIES)),
      language: this.maybe(0.8, () => this.pick(words.LANGUAGES)),
      segments: this.maybe(0.7, () => this.some(words.SEGMENTS)),
      loggedIn: this.maybe(0.8, () => this.random(0.5)),
      newVisitor: this.maybe(0.8, () => this.random(0.5)),
      referrerDomain: this.maybe(0.7, () => this.pick(words.HOSTS)),
      lastPurchaseDaysAgo: this.maybe(0.4, () => this.int(30)),
      categories: this.maybe(0.5, () => this.some(words.CATEGORIES)),
    }
  }

  request(): DecisionRequest {
    const byType = this.random(0.25)
    return {
      placementKey: byType ? undefined : 1 + this.int(3),
      placementType: byType ? this.pick(words.TYPES) : undefined,
      publisherKey: byType ? this.pick(words.PUBLISHERS) : undefined,
      nowMs: this.nowMs(),
      userKnown: this.random(0.8),
      context: this.context(),
      floorMicros: this.maybe(0.2, () => this.pick([0, 1_000_000, 20_000_000])),
      bannersMax: this.maybe(0.3, () => 1 + this.int(2)),
      oncePerCampaign: byType ? undefined : this.maybe(0.2, () => true),
      shortlist: byType ? undefined : this.maybe(0.3, () => this.shortlist()),
      limits: this.maybe(0.4, () => randomLimits(this, WORDS)),
    }
  }

  /** Always makes the same choice from the same bids. Some of its ads do not exist. */
  private shortlist(): Shortlist {
    const adKeys = Array.from({ length: 1 + this.int(4) }, () => 1 + this.int(this.size * 2 + 1))
    const distinct = [...new Set(adKeys)]
    const fee = this.pick([0, 500_000, 2_000_000])
    return {
      adKeys: distinct,
      relevance: distinct.map(() => 1 + this.int(5) / 4),
      choose(bids, floorMicros) {
        const at = bids.reduce((sum, { place }) => sum + place, 0) % bids.length
        const clearing = Math.max(floorMicros, Math.min(fee, bids[at]!.cpmMicros))
        return { at, clearingCpmMicros: clearing, propensity: 1 }
      },
    }
  }

  page(): PageRequest {
    return {
      siteKey: 1 + this.int(2),
      slots: Array.from({ length: 1 + this.int(4) }, () => ({
        placementKey: 1 + this.int(4),
        shortlist: this.maybe(0.3, () => this.shortlist()),
        limits: this.maybe(0.2, () => randomLimits(this, WORDS)),
      })),
      nowMs: this.nowMs(),
      userKnown: this.random(0.8),
      context: this.context(),
      throttle: this.maybe(0.2, () => 0.5),
    }
  }

  live(): PlainLiveState {
    const keys = Array.from({ length: this.size }, (_, at) => at + 1)
    const table = <T>(share: number, make: () => T) =>
      Object.fromEntries(keys.filter(() => this.random(share)).map((key) => [key, make()]))
    const seen: Record<string, number> = {}
    for (const key of keys.filter(() => this.random(0.3))) {
      const scope = this.pick(['ad', 'campaign', 'advertiser'])
      seen[`${scope}-${key}-${this.pick(words.WINDOWS)}`] = this.int(4)
    }
    return {
      budgetLeft: table(0.2, () => this.pick([0, 500, 2_000, 1_000_000, 3_000_000])),
      aheadOfPlan: keys.filter(() => this.random(0.05)),
      utilisation: table(0.5, () => this.int(3) / 2),
      seen,
      refused: keys.filter(() => this.random(0.1)).map((key) => `auction-${key}`),
    }
  }
}

const DEVICES = ['mobile', 'tablet', 'desktop'] as const
const REMOVABLE = ['site', 'placement', 'campaign', 'ad', 'banner', 'assignment', 'cap'] as const
