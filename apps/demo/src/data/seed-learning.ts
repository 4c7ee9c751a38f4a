import { DAY_MS } from '@placard/calendar'
import { type Auctions, seededDraws, WINDOWS_PER_DAY } from '@placard/learning'
import {
  addPastDay,
  type AgentCampaign,
  daysBefore,
  judgeOne,
  listAgentCampaigns,
  stepAgents,
} from '../../../server/src/capabilities/learning/index.ts'
import type { DemoDeps } from './world.ts'

const CAMPAIGNS = 3
/** As many judgements as bring a policy from nothing to all of the time. */
const JUDGEMENTS = 4
const DAYS = 7 + JUDGEMENTS
const AUCTIONS_PER_DAY = 4_000
/** Booked bids win four of five auctions, at less than half of their worth, and two budgets and a half a day. */
const PRICE_SHARE = 0.45
const WON_SHARE = 0.8
const BUDGETS = 2.5
const CLICK_RATE = 0.02

/** Some campaigns have past days, so that the gate has judged and agents bid at the first look. */
export async function addLearning(deps: DemoDeps): Promise<void> {
  const nowMs = deps.clock.now().getTime()
  const all = await listAgentCampaigns(deps.db, { after: 0, limit: 100 })
  const campaigns = all.slice(0, CAMPAIGNS)
  for (const campaign of campaigns) {
    for (const { day, number } of daysBefore(campaign.timeZone, nowMs, DAYS)) {
      await addPastDay(deps.db, campaign.campaignKey, { day, ...drawDay(campaign, number) })
    }
    for (let back = JUDGEMENTS - 1; back >= 0; back--) {
      const clock = { now: () => new Date(nowMs - back * DAY_MS) }
      await judgeOne({ ...deps, clock }, campaign)
    }
  }
  await stepAgents(deps)
}

function drawDay(campaign: AgentCampaign, seed: number) {
  const { pricing, bidMicros, dailyMicros, campaignKey } = campaign
  const worth = pricing === 'cpc' ? bidMicros * CLICK_RATE : bidMicros / 1_000
  const count = Math.ceil((BUDGETS * dailyMicros) / (WON_SHARE * PRICE_SHARE * worth))
  const sampledShare = Math.min(1, AUCTIONS_PER_DAY / count)
  const draws = seededDraws(seed * 1_000 + campaignKey)
  const spread = () => Math.exp(1.2 * (draws.next() + draws.next() + draws.next() - 1.5))
  const length = Math.round(count * sampledShare)
  const rows = Array.from({ length }, (_, at) => ({
    window: Math.floor((at * WINDOWS_PER_DAY) / length),
    value: pricing === 'cpc' ? CLICK_RATE * spread() : 1,
    price: Math.max(1, Math.round(PRICE_SHARE * worth * spread())),
  }))
  const auctions: Auctions = {
    count: rows.length,
    price: Int32Array.from(rows, ({ price }) => price),
    pctr: Float64Array.from(rows, ({ value }) => value),
    click: new Uint8Array(rows.length),
    window: Uint8Array.from(rows, ({ window }) => window),
  }
  return { auctions, sampledShare, deliveredShare: 1 }
}
