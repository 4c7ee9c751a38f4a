import { DAY_MS } from '@placard/calendar'
import { seededDraws } from '@placard/learning'
import { micros } from '@placard/money'
import type { Ids } from '../../platform/ids.ts'
import { aServingWorld } from './serving-world.ts'
import { budgetDayAt } from '../../capabilities/learning/agents/budget-day.ts'

const WINDOWS = 96
const QUARTER_MS = 15 * 60_000
const RIVAL = 999_999

/** A campaign that pays per click, and recorded auctions in which it bid. */
export async function anAgentWorld({
  bid = 1_000_000n,
  max = 2_000_000n,
  daily = 6_000_000n,
} = {}) {
  const world = await aServingWorld()
  const { deps, pool } = world
  const placement = await world.addPlacement({ mode: 'auction', type: 'feed' })
  const { campaign } = await world.addBidder(placement, bid, {
    pricing: 'cpc',
    maxBidMicros: micros(max),
    budgetDailyMicros: micros(daily),
  })
  const campaignKey = Number(campaign.id)

  /** Records the auctions of a day, up to a window, with the winners' charges. */
  async function recordDay(atMs: number, { until = WINDOWS } = {}) {
    const { startMs } = budgetDayAt('UTC', atMs)
    const rows = auctionRows({ startMs, until, bid: Number(bid), campaignKey, ids: deps.ids })
    const day = new Date(startMs)
    await pool.query(`select make_day_partition('auctions', $1::date)`, [day])
    await pool.query(ADD_AUCTIONS, [JSON.stringify(rows), placement.id])
    await pool.query(ADD_CHARGES, [campaignKey, day])
  }

  return {
    ...world,
    placement,
    campaign,
    campaignKey,
    recordDay,
    /** The days before today. */
    async recordPast(days: number) {
      const nowMs = deps.clock.now().getTime()
      for (let back = days; back > 0; back--) await recordDay(nowMs - back * DAY_MS)
    },
  }
}

export type AgentWorld = Awaited<ReturnType<typeof anAgentWorld>>

const ADD_AUCTIONS = `
  insert into auctions (id, decided_on, auction_time, kind, placement_type, placement_id, currency,
         context, bids, bid_count, winners, floor_micros, seed, index_version, duration_micros)
  select r.id, (r.at at time zone 'UTC')::date, r.at, 'slug', 'feed', $2, 'EUR', '{}', r.bids, 2,
         r.winners, 0, '1', 1, 1
    from jsonb_to_recordset($1::jsonb) as r (id uuid, at timestamptz, bids jsonb, winners jsonb)`

const ADD_CHARGES = `
  insert into stats_cube (grain, bucket, advertiser_id, campaign_id, ad_set_id, ad_id, banner_id,
         placement_id, site_id, country, device, label, budget_day, currency, charged_millis)
  select 'quarter', date_bin('15 minutes', a.auction_time, timestamptz '2000-01-01 00:00Z'), 1, $1, 0,
         0, 0, 0, 0, '', '', 'valid', a.decided_on, 'EUR',
         round(1000 * sum((a.bids -> 1 ->> 2)::numeric))
    from auctions a
   where jsonb_array_length(a.winners) > 0 and a.decided_on = $2::date
   group by 2, a.decided_on`

interface DayOfAuctions {
  readonly startMs: number
  readonly until: number
  readonly bid: number
  readonly campaignKey: number
  readonly ids: Ids
}

const PER_WINDOW = 20

/** Auctions against one rival, won where the booked bid is higher. */
function auctionRows({ startMs, until, bid, campaignKey, ids }: DayOfAuctions): object[] {
  const draws = seededDraws(Math.floor(startMs / DAY_MS))
  const spread = () => Math.exp(1.2 * (draws.next() + draws.next() + draws.next() - 1.5))
  return Array.from({ length: until * PER_WINDOW }, (_, at) => {
    const ctr = 0.02 * spread()
    const score = bid * ctr
    const price = 9_000 * spread()
    const charge = price / ctr
    const window = Math.floor(at / PER_WINDOW)
    const winner = [
      'auction',
      1,
      1,
      campaignKey,
      1,
      'cpc',
      bid,
      charge,
      0,
      score,
      price,
      price,
      ctr,
      1,
    ]
    return {
      id: ids.next(),
      at: new Date(startMs + window * QUARTER_MS + (at % PER_WINDOW) * 1_000).toISOString(),
      bids: [
        [1, campaignKey, score, ctr],
        [2, RIVAL, price, 0.02],
      ],
      winners: score >= price ? [winner] : [],
    }
  })
}
