import type { PageRequest } from '../decide/decide-page.ts'
import type {
  Ad,
  AdProductBlock,
  AdvertiserBlock,
  Approval,
  Assignment,
  Banner,
  Campaign,
  Change,
  FrequencyCap,
  CampaignPlacement,
  CampaignSpendVerdict,
  Placement,
  Site,
  TargetingRule,
} from '../changes/records.ts'
import type { RequestLimits } from '../decide/limits.ts'
import type { DecisionRequest } from '../decide/run.ts'
import type { PlainLiveState } from './plain-live.ts'

/** Times are ISO text: `startsAt` for `startsAtMs`, `now` for `nowMs`. */
type Loose<T> = Partial<T> & Readonly<Record<string, unknown>>

export interface CaseCatalogue {
  readonly sites?: readonly Loose<Site>[]
  readonly placements?: readonly Loose<Placement>[]
  readonly campaigns?: readonly Loose<Campaign>[]
  readonly ads?: readonly Loose<Ad>[]
  readonly banners?: readonly Loose<Banner>[]
  readonly assignments?: readonly Loose<Assignment>[]
  readonly rules?: readonly Loose<TargetingRule>[]
  readonly caps?: readonly Loose<FrequencyCap>[]
  /** Without any, every campaign is booked on every placement. */
  readonly campaignPlacements?: readonly Loose<CampaignPlacement>[]
  readonly advertiserBlocks?: readonly AdvertiserBlock[]
  readonly adProductBlocks?: readonly AdProductBlock[]
  readonly approvals?: readonly Approval[]
  readonly parking?: readonly CampaignSpendVerdict[]
}

export interface CaseExpectation {
  readonly winners?: readonly Readonly<Record<string, unknown>>[]
  readonly slots?: readonly (readonly number[])[]
  readonly emptyReason?: string
  readonly placementKey?: number
  readonly needsPlaceholder?: boolean
  /** Reasons, by `ad 7`, `booking 3` or `banner 5`. */
  readonly stopped?: Readonly<Record<string, string>>
  readonly says?: string
}

export interface DecisionCase {
  /** The rule that the case shows. */
  readonly rule: string
  readonly catalogue: CaseCatalogue
  readonly request?: Loose<DecisionRequest>
  readonly page?: Loose<PageRequest>
  readonly live?: PlainLiveState
  readonly draws?: readonly number[]
  /** Asks for the sentences about what this ad would need to win. */
  readonly explainedAd?: number
  readonly expect: CaseExpectation
  /** Changes in place, and the answer to the same request after them. */
  readonly then?: { readonly changes: CaseCatalogue; readonly expect: CaseExpectation }
}

const NOW = '2026-05-13T12:00:00Z'

export const caseRequest = (request: Loose<DecisionRequest> = {}): DecisionRequest => ({
  nowMs: 0,
  userKnown: true,
  context: {},
  ...(request.placementType === undefined ? { placementKey: 1 } : {}),
  ...timed({ now: NOW, ...request }),
  ...(request.limits === undefined ? {} : { limits: setsOf(request.limits) }),
})

const mapOf = (byKey: unknown) =>
  new Map(Object.entries(byKey as object).map(([key, value]) => [Number(key), value as number]))

/** JSON has lists where limits have sets. */
const setsOf = (limits: object): RequestLimits =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]: [string, unknown]) => [name, limitOf(name, value)]),
  )

function limitOf(name: string, value: unknown): unknown {
  if (name === 'dealFloorsMicros') return mapOf(value)
  return Array.isArray(value) ? new Set<unknown>(value) : value
}

export const casePage = (page: Loose<PageRequest>): PageRequest => ({
  nowMs: 0,
  userKnown: true,
  context: {},
  siteKey: 1,
  slots: [],
  ...timed({ now: NOW, ...page }),
})

/** The rows of a case with all defaults, as changes. */
export function caseChanges(catalogue: CaseCatalogue, booksByDefault: boolean): Change[] {
  return [
    ...put('site', catalogue.sites, { key: 1, approvalRequired: false }),
    ...put('placement', catalogue.placements, PLACEMENT),
    ...put('campaign', catalogue.campaigns, CAMPAIGN),
    ...put('banner', catalogue.banners, BANNER),
    ...put('ad', catalogue.ads, AD),
    ...put('assignment', catalogue.assignments, ASSIGNMENT),
    ...put('rule', catalogue.rules, { key: 1, campaignKey: 1, active: true }),
    ...put('cap', catalogue.caps, { key: 1, scope: 'campaign', scopeKey: 1, window: 'Day' }),
    ...put(
      'campaign-placement',
      catalogue.campaignPlacements ?? (booksByDefault ? allPairs(catalogue) : []),
      {
        active: true,
      },
    ),
    ...put('advertiser-block', catalogue.advertiserBlocks, {}),
    ...put('ad-product-block', catalogue.adProductBlocks, {}),
    ...put('approval', catalogue.approvals, {}),
    ...put('spend-verdict', catalogue.parking, {}),
  ]
}

type PutKind = Extract<Change, { put: string }>['put']

function put(kind: PutKind, rows: readonly object[] | undefined, defaults: object): Change[] {
  return (rows ?? []).map((row) => {
    const record = { ...defaults, ...timed(row) }
    return { put: kind, record } as Change
  })
}

const allPairs = ({ campaigns = [], placements = [] }: CaseCatalogue) =>
  campaigns.flatMap((campaign) =>
    placements.map((placement) => ({
      campaignKey: campaign.key ?? CAMPAIGN.key,
      placementKey: placement.key ?? PLACEMENT.key,
    })),
  )

function timed(row: object): object {
  const entries = Object.entries(row).map(([name, value]) =>
    TIMES.has(name) ? [`${name}Ms`, Date.parse(String(value))] : [name, value],
  )
  return Object.fromEntries(entries) as object
}

const TIMES = new Set(['now', 'startsAt', 'endsAt', 'publishAt', 'expiresAt'])

const PLACEMENT: Placement = {
  key: 1,
  slug: 'home-top',
  type: 'feed',
  mode: 'auction',
  active: true,
  maxBanners: 1,
  allowPartialRender: false,
  rotation: 'ordered',
  floorMicros: 0,
  timeZone: 'UTC',
}

const CAMPAIGN: Campaign = {
  key: 1,
  advertiserKey: 1,
  status: 'active',
  pricing: 'cpc',
  bidMultiplier: 1,
  mayExceedMax: false,
  rateMicros: 0,
  priority: 0,
  impressionCapReached: false,
  clickCapReached: false,
}

const BANNER: Banner = {
  key: 1,
  advertiserKey: 1,
  format: 'single_image',
  active: true,
  scheduleStatus: 'evergreen',
  timeZone: 'UTC',
  evergreenFallback: false,
  priority: 0,
}

const AD: Ad = { key: 1, campaignKey: 1, bannerKey: 1, active: true, bidMicros: 1_000_000 }

const ASSIGNMENT: Assignment = {
  key: 1,
  campaignKey: 1,
  placementKey: 1,
  bannerKey: 1,
  active: true,
  displayOrder: 0,
  weight: 100,
  isFallback: false,
}
