import {
  type AgentCampaign,
  termsOf,
  usualDay,
} from '../../apps/server/src/capabilities/learning/agents/bid-plan.ts'
import {
  applyChange,
  type DecisionIndex,
  type Winner,
} from '../../packages/decision-engine/src/index.ts'
import {
  agentOf,
  type CampaignTerms,
  forecastTraffic,
  historyOf,
  type PastDay,
  type LimitedPolicy,
  WINDOWS_PER_DAY,
} from '../../packages/learning/src/index.ts'
import type { MarketCampaign, World } from './world.ts'

const DAYS = 7

interface Bidding {
  readonly campaign: MarketCampaign
  readonly terms: CampaignTerms
  readonly agent: LimitedPolicy
  readonly deliveredShare: number
  wins: number
  clicks: number
  value: number
  expected: number
  charged: number
}

export interface Bidders {
  readonly ids: ReadonlySet<number>
  readonly past: ReadonlyMap<number, readonly PastDay[]>
  /** Of those that bid by target. */
  readonly targets?: ReadonlyMap<number, AgentTarget> | undefined
}

export interface AgentTarget {
  readonly micros: number
  readonly clickMicrosMax: number
  /** Purchases that came over those that were predicted. */
  readonly correction: number
}

/** The bid agents of one day. Each observes its own windows and sets its multiplier between them. */
export class Agents {
  private readonly biddings = new Map<number, Bidding>()
  private readonly requests = new Map<number, number>()

  constructor({ campaigns }: World, { ids, past, targets }: Bidders) {
    for (const campaign of campaigns.filter(({ key }) => ids.has(key))) {
      const days = (past.get(campaign.key) ?? []).slice(-DAYS)
      const target = targets?.get(campaign.key)
      if (days.length > 0) this.biddings.set(campaign.key, begin(campaign, days, target))
    }
  }

  act(index: DecisionIndex): void {
    for (const { campaign, agent, terms } of this.biddings.values()) {
      const { target, bookedK } = terms
      const multiplier = agent.multiplier / (target?.micros ?? bookedK)
      const byTarget = target !== undefined
      const record = { campaignKey: campaign.key, multiplier, lift: agent.lift, byTarget }
      applyChange(index, { put: 'bid-multiplier', record })
    }
  }

  /** The brake: most that a campaign may spend in this window. Undefined without an agent. */
  spendMax(campaignKey: number): number | undefined {
    const bidding = this.biddings.get(campaignKey)
    return bidding && bidding.agent.spendMax * bidding.deliveredShare - bidding.charged
  }

  noteRequest(placementKey: number): void {
    this.requests.set(placementKey, (this.requests.get(placementKey) ?? 0) + 1)
  }

  noteWin({ key, ctr, chargeMicros, conversionRate }: Winner, rate: number): void {
    const bidding = this.biddings.get(key)
    if (bidding === undefined) return
    bidding.wins++
    bidding.value += bidding.terms.target === undefined ? ctr : ctr * conversionRate!
    bidding.expected += ctr * chargeMicros
    bidding.clicks += rate
    bidding.charged += rate * chargeMicros
  }

  observe(): void {
    for (const bidding of this.biddings.values()) {
      const { campaign, agent, deliveredShare } = bidding
      const requests = [...new Set(campaign.placements)].reduce(
        (sum, placement) => sum + (this.requests.get(placement) ?? 0),
        0,
      )
      agent.observe({
        requests,
        wins: bidding.wins,
        clicks: bidding.clicks,
        value: bidding.value,
        spend: bidding.expected,
        charged: bidding.charged / deliveredShare,
      })
      Object.assign(bidding, NOTHING_WON)
    }
    this.requests.clear()
  }
}

function begin(
  campaign: MarketCampaign,
  days: readonly PastDay[],
  target: AgentTarget | undefined,
): Bidding {
  const usual = usualDay(days, target?.correction)
  const terms = termsOf(agentCampaign(campaign, target), usual)
  const { curve, requests } = historyOf(days, terms.target)
  const agent = agentOf(target ? 'tcpa' : 're-solve', terms, { curve })
  agent.begin({
    budget: terms.budget,
    windows: WINDOWS_PER_DAY,
    traffic: forecastTraffic(requests),
  })
  const { deliveredShare } = usual
  return { campaign, terms, agent, deliveredShare, ...NOTHING_WON }
}

const NOTHING_WON = { wins: 0, clicks: 0, value: 0, expected: 0, charged: 0 }

const agentCampaign = (
  campaign: MarketCampaign,
  target: AgentTarget | undefined,
): AgentCampaign => ({
  campaignKey: campaign.key,
  publicId: String(campaign.key),
  accountId: 0n,
  pricing: 'cpc',
  bidMicros: campaign.bidMicros,
  maxBidMicros: target?.clickMicrosMax ?? campaign.maxBidMicros,
  mayExceedMax: false,
  isSmooth: true,
  isTargeted: campaign.country !== undefined,
  dailyMicros: campaign.dailyMicros,
  timeZone: 'UTC',
  targetMicros: target?.micros ?? null,
  adKey: campaign.key,
  format: 'single_image',
})
