import type { DeliveryCode } from '@placard/contract/delivery'
import {
  costOf,
  type DecisionIndex,
  emptyReplay,
  type LiveState,
  type PastRequest,
  type Reason,
  type Replay,
  replayRequest,
  type Standing,
  standingsOf,
} from '@placard/decision-engine'
import type { BudgetBook, SpendView } from '../../budgets/index.ts'
import type { Content } from '../catalogue/content.ts'
import type { BudgetCode, Chance, DeliveryFacts } from './verdict.ts'

/** What a node knows in memory. */
export interface DeliverySources {
  readonly index: DecisionIndex
  readonly content: Content
  readonly budgets: Pick<BudgetBook, 'findCampaign'>
  /** Of no reader. Holds nothing. */
  readonly live: LiveState
  isServing(): boolean
}

/** A request of the past, and what it found of its reader's counts. */
export interface Heard {
  readonly request: PastRequest
  /** Without one, no cap applies. */
  readonly live?: LiveState | undefined
}

type HeardOn = (placementKey: number) => readonly Heard[]

/** Undefined: the index has no such campaign, for example because it runs on another channel. */
export function deliveryFacts(
  sources: DeliverySources,
  campaignKey: number,
  { nowMs, heardOn }: { readonly nowMs: number; readonly heardOn: HeardOn },
): DeliveryFacts | undefined {
  const { index, content, live } = sources
  const campaign = content.campaigns.get(campaignKey)
  if (campaign === undefined) return undefined
  const standings = standingsOf(index, campaignKey, { nowMs, live })
  const chances = standings.map((standing) => chanceOf(standing, content))
  replayOn(sources, chances, heardOn)
  return {
    status: campaign.status,
    isServing: sources.isServing(),
    hasPlacement: standings.some(({ placementKey }) => placementKey !== undefined),
    chances,
    budget: budgetCode(sources, campaignKey, chances),
  }
}

function chanceOf(standing: Standing, content: Content): Chance {
  const obstacles = standing.obstacles.flatMap((reason) => {
    const code = codeOf(reason, { standing, content })
    return code === undefined ? [] : [code]
  })
  return { standing, obstacles, replay: emptyReplay() }
}

interface Where {
  readonly standing: Standing
  readonly content: Content
}

/** A placement is off for three reasons, each mended elsewhere. Budgets are told apart. */
function codeOf(reason: Reason, { standing, content }: Where): DeliveryCode | undefined {
  if (reason === 'exhausted' || reason === 'ahead-of-plan') return undefined
  if (reason === 'campaign-not-active') return 'paused'
  if (reason !== 'placement-not-active') return STANDING_CODES.get(reason)
  const placement = content.placements.get(standing.placementKey ?? 0)
  const site = content.sites.get(placement?.siteKey ?? 0)
  if (site?.isActive === false) return 'site-off'
  return site?.isProven === false ? 'domain-unproven' : 'placement-off'
}

const SAME = [
  'ad-not-active',
  'banner-not-active',
  'impression-cap-reached',
  'click-cap-reached',
  'before-flight',
  'after-flight',
  'banner-expired',
  'before-publish',
  'off-recurrence',
  'outside-window',
  'not-linked',
  'other-mode',
  'size',
  'format',
  'currency',
  'advertiser-blocked',
  'ad-product-blocked',
  'not-approved',
] as const satisfies readonly (Reason & DeliveryCode)[]

const STANDING_CODES: ReadonlyMap<Reason, DeliveryCode> = new Map(SAME.map((code) => [code, code]))

/** Only ads that nothing stops meet the requests of the past. */
function replayOn(
  { index, live }: DeliverySources,
  chances: readonly Chance[],
  heardOn: HeardOn,
): void {
  const open = chances.filter(({ obstacles }) => obstacles.length === 0)
  for (const [placementKey, own] of Map.groupBy(open, ({ standing }) => standing.placementKey)) {
    if (placementKey === undefined) continue
    const replays = new Map<number, Replay>(
      own.map(({ standing, replay }) => [standing.candidate, replay]),
    )
    for (const { request, live: known } of heardOn(placementKey)) {
      replayRequest(index, request, { live: known ?? live, replays })
    }
  }
}

/** What holds all open ads back now, if anything does. */
function budgetCode(
  { budgets, content }: DeliverySources,
  campaignKey: number,
  chances: readonly Chance[],
): BudgetCode | undefined {
  const open = chances.filter(({ obstacles }) => obstacles.length === 0)
  const verdicts = new Set(open.map(({ standing }) => standing.obstacles.at(-1)))
  if (open.length === 0 || verdicts.has(undefined)) return undefined
  if (verdicts.has('ahead-of-plan')) return 'pacing'
  const view = budgets.findCampaign(campaignKey)
  const isCpc = content.campaigns.get(campaignKey)?.pricing === 'cpc'
  const cost = Math.min(...open.map(({ standing }) => costOf(isCpc, standing.effectiveBidMicros)))
  if (isUsedUp(view?.campaignLifetime, cost)) return 'budget-total'
  return isUsedUp(view?.advertiserDay, cost) ? 'budget-advertiser' : 'budget-day'
}

const isUsedUp = (level: SpendView | undefined, cost: number): boolean =>
  level?.limitMicros !== undefined &&
  level.limitMicros - level.spentMicros - level.heldMicros < Math.max(1, cost)
