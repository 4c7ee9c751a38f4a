import type { Ad, Banner, Campaign, Change, Placement, TargetingRule } from '../changes/records.ts'
import type { DecisionRequest } from '../decide/run.ts'
import type { WinRequirements } from '../explain/requirements.ts'
import type { PlainLiveState } from './plain-live.ts'
import type { RandomWorld } from './random-world.ts'

/** A world in which every ad has its own campaign, banner and advertiser: what is mended for one changes no other. */
export function separateAds(world: RandomWorld): Change[] {
  const changes = world.catalogue().flatMap((change): Change[] => {
    if (!('put' in change)) return []
    if (change.put === 'ad') return change.record.key > world.size ? [] : [ownAd(change.record)]
    if (change.put === 'assignment') return bookedApart(world, change)
    if (change.put !== 'campaign' && change.put !== 'banner') return [change]
    const { record } = change
    return [{ ...change, record: { ...record, advertiserKey: record.key } } as Change]
  })
  return changes
}

const ownAd = (record: Ad): Change => ({
  put: 'ad',
  // A quality of its own: another format must not change the score.
  record: { ...record, campaignKey: record.key, bannerKey: record.key, quality: 1 },
})

const BOOKED = 100

function bookedApart(
  world: RandomWorld,
  { record }: Extract<Change, { readonly put: 'assignment' }>,
): Change[] {
  const key = BOOKED + record.key
  const { placementKey } = record
  // More places show more bookings, and their labels would stop the ad anew.
  const campaign = { ...world.campaign(key), exclusionLabels: undefined }
  return [
    { put: 'campaign', record: { ...campaign, advertiserKey: key } },
    { put: 'banner', record: { ...world.banner(key), advertiserKey: key } },
    { put: 'campaign-placement', record: { campaignKey: key, placementKey, active: true } },
    { put: 'assignment', record: { ...record, campaignKey: key, bannerKey: key } },
  ]
}

/** What somebody can change: the catalogue, the budgets and counts, and the request. */
export interface Changeable {
  readonly changes: readonly Change[]
  readonly state: PlainLiveState
  readonly request: DecisionRequest
}

/** Does for an ad what an explanation says, and nothing else. */
export function mended(before: Changeable, needs: WinRequirements): Changeable {
  const mend = new Mend(before, needs)
  for (const obstacle of needs.obstacles) mend.remove(obstacle)
  if (needs.effectiveBidMicros < needs.effectiveBidMicrosNeeded) mend.raiseBid()
  return mend.after()
}

type Obstacle = WinRequirements['obstacles'][number]

class Mend {
  private readonly changes: Change[]
  private readonly key: number
  private readonly placement: Placement
  private readonly needs: WinRequirements
  private state: PlainLiveState
  private request: DecisionRequest

  constructor({ changes, state, request }: Changeable, needs: WinRequirements) {
    this.changes = [...changes]
    this.state = state
    this.request = request
    this.needs = needs
    this.key = needs.adKey
    this.placement = this.recordOf('placement', needs.placementKey!)
  }

  after(): Changeable {
    return { changes: this.changes, state: this.state, request: this.request }
  }

  raiseBid(): void {
    const bidMicros = this.needs.effectiveBidMicrosNeeded
    this.changes.push({
      put: 'bid-multiplier',
      record: { campaignKey: this.key, multiplier: undefined },
    })
    this.campaign({ bidMicrosMax: undefined, bidMultiplier: 1 })
    this.ad({ bidMicros })
  }

  remove(obstacle: Obstacle): void {
    const remedy = this.remedies[obstacle]
    if (remedy === undefined) this.dropRules(obstacle)
    else remedy()
  }

  private readonly remedies: { readonly [O in Obstacle]?: () => void } = {
    'campaign-not-active': () => this.campaign({ status: 'active' }),
    'ad-not-active': () => this.ad({ active: true }),
    'banner-not-active': () => this.banner({ active: true }),
    'impression-cap-reached': () => this.campaign({ impressionCapReached: false }),
    'click-cap-reached': () => this.campaign({ clickCapReached: false }),
    'before-flight': () => this.campaign({ startsAtMs: undefined }),
    'after-flight': () => this.campaign({ endsAtMs: undefined }),
    'banner-expired': () => this.banner(ALWAYS),
    'before-publish': () => this.banner(ALWAYS),
    'off-recurrence': () => this.banner(ALWAYS),
    'outside-window': () => this.banner(ALWAYS),
    'not-linked': () => this.link(),
    'placement-not-active': () => this.put('placement', this.placement.key, { active: true }),
    'other-mode': () => this.put('placement', this.placement.key, { mode: 'hybrid' }),
    size: () => this.banner({ sizes: undefined }),
    format: () => this.banner({ format: this.placement.formats![0]! }),
    currency: () => this.campaign({ currency: this.placement.currency }),
    'advertiser-blocked': () => this.unblock(),
    'ad-product-blocked': () => {
      this.campaign({ adProductCategory: undefined })
      this.banner({ adProductCategory: undefined })
    },
    'not-approved': () => this.approve(),
    'label-on-page': () => this.campaign({ exclusionLabels: undefined }),
    category: () => this.campaign({ categories: undefined }),
    'ad-frequency': () => this.forget('ad'),
    'campaign-frequency': () => this.forget('campaign'),
    'advertiser-frequency': () => this.forget('advertiser'),
    exhausted: () => this.giveBudget(),
    'ahead-of-plan': () => this.giveBudget(),
    'slots-full': () => this.addPlaces(),
    'reservation-refused': () => this.allowHolds(),
  }

  private link(): void {
    const record = { campaignKey: this.key, placementKey: this.placement.key, active: true }
    this.changes.push({ put: 'campaign-placement', record })
  }

  private unblock(): void {
    const record = { siteKey: this.placement.siteKey!, advertiserKey: this.key }
    this.changes.push({ remove: 'advertiser-block', record })
  }

  private approve(): void {
    const record = { siteKey: this.placement.siteKey!, bannerKey: this.key }
    this.changes.push({ put: 'approval', record })
  }

  /** More places bring more ads. Those that share its labels might come before it. */
  private addPlaces(): void {
    this.campaign({ exclusionLabels: undefined })
    this.put('placement', this.placement.key, { maxBanners: 100 })
    this.request = { ...this.request, bannersMax: undefined }
  }

  private giveBudget(): void {
    const left = Object.entries(this.state.budgetLeft ?? {})
    this.state = {
      ...this.state,
      budgetLeft: Object.fromEntries(left.filter(([key]) => key !== String(this.key))),
      aheadOfPlan: this.state.aheadOfPlan?.filter((key) => key !== this.key) ?? [],
    }
    this.allowHolds()
  }

  private allowHolds(): void {
    const own = `auction-${this.key}`
    this.state = {
      ...this.state,
      refused: this.state.refused?.filter((name) => name !== own) ?? [],
    }
  }

  private forget(scope: string): void {
    const seen = Object.entries(this.state.seen ?? {})
    const others = seen.filter(([name]) => !name.startsWith(`${scope}-${this.key}-`))
    this.state = { ...this.state, seen: Object.fromEntries(others) }
  }

  private dropRules(type: Obstacle): void {
    const rules = this.changes.flatMap((change) =>
      'put' in change && change.put === 'rule' ? [change.record] : [],
    )
    const own = rules.filter((rule: TargetingRule) => rule.campaignKey === this.key)
    const wrong = own.filter((rule) => rule.type === type)
    if (wrong.length === 0) throw new Error(`Nobody knows what to do about ${type}`)
    for (const { key, campaignKey } of wrong) {
      this.changes.push({ remove: 'rule', record: { key, campaignKey } })
    }
  }

  private campaign(changed: Partial<Campaign>): void {
    this.put('campaign', this.key, changed)
  }

  private banner(changed: Partial<Banner>): void {
    this.put('banner', this.key, changed)
  }

  private ad(changed: Partial<Ad>): void {
    this.put('ad', this.key, changed)
  }

  private put(kind: Kind, key: number, changed: object): void {
    const record = { ...this.recordOf(kind, key), ...changed }
    this.changes.push({ put: kind, record } as Change)
  }

  private recordOf<K extends Kind>(kind: K, key: number): RecordOf<K> {
    const found = this.changes.findLast(
      (change) => 'put' in change && change.put === kind && change.record.key === key,
    ) as { readonly record: RecordOf<K> } | undefined
    if (found === undefined) throw new Error(`There is no ${kind} ${key}`)
    return found.record
  }
}

interface Records {
  readonly campaign: Campaign
  readonly banner: Banner
  readonly ad: Ad
  readonly placement: Placement
}

type Kind = keyof Records
type RecordOf<K extends Kind> = Records[K]

const ALWAYS: Partial<Banner> = {
  scheduleStatus: 'evergreen',
  publishAtMs: undefined,
  expiresAtMs: undefined,
  recurrenceRule: undefined,
  windowStart: undefined,
  windowEnd: undefined,
}
