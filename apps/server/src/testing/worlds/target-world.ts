import type { Context } from '@placard/decision-engine'
import { FEED_START } from '../../platform/database/ordered-feed.ts'
import { clickRowOf } from '../../capabilities/learning/models/click-features.ts'
import {
  figuresOf,
  learnFrom,
  newLearned,
  packLearned,
} from '../../capabilities/learning/models/learned.ts'
import { CONVERSIONS } from '../../capabilities/learning/models/evidence.ts'
import { saveModel } from '../../capabilities/learning/models/store-models.ts'
import { type AgentWorld, anAgentWorld } from './agent-world.ts'

/** Purchases per click: on a phone few buy. */
const RATES = { desktop: 0.1, mobile: 0.02 } as const

/** A campaign that wants a purchase for about two thirds of what its booked bids pay. */
export async function aTargetWorld({ targetMicros = 5_000_000 } = {}) {
  const world = await anAgentWorld({ daily: 60_000_000n, max: 2_000_000n })
  await world.pool.query('update campaigns set target_cpa_micros = $1 where id = $2', [
    targetMicros,
    world.campaignKey,
  ])
  return {
    ...world,
    targetMicros,
    /** As the agent's world does, with devices, and predictions in what was won. */
    async recordDay(atMs: number, options = {}) {
      await world.recordDay(atMs, options)
      await world.pool.query(GIVE_DEVICES)
    },
    async recordPast(days: number) {
      await world.recordPast(days)
      await world.pool.query(GIVE_DEVICES)
    },
    learnConversions: () => learnConversions(world),
    /** A click on each of the first auctions won since, and a purchase after some of them. */
    async click(options: Clicks) {
      await addClicks(world, options)
    },
  }
}

export type TargetWorld = Awaited<ReturnType<typeof aTargetWorld>>

const GIVE_DEVICES = `
  update auctions
     set context = jsonb_build_object('device', device),
         winners = case when winners = '[]'::jsonb then winners else jsonb_build_array(
           (winners -> 0) || jsonb_build_array(null, case device when 'mobile' then 0.02 else 0.1 end)) end
    from (values (0, 'desktop'), (1, 'mobile')) as d (number, device)
   where d.number = hashtext(auctions.id::text) & 1 and context = '{}'::jsonb`

/** A conversion model that has seen enough to be sound. */
async function learnConversions({ db, deps, campaignKey }: AgentWorld): Promise<void> {
  const learned = newLearned(CONVERSIONS.prior)
  for (let click = 0; click < 3_000; click++) {
    const device = click % 2 === 0 ? 'desktop' : 'mobile'
    const context: Context = { device }
    const place = {
      placementType: 'feed',
      siteKey: undefined,
      width: undefined,
      height: undefined,
      hour: undefined,
      weekday: undefined,
    }
    const ad = { adKey: 1, campaignKey, format: 'single_image' }
    const { indexes } = clickRowOf({ place, context, ad }, learned.model.bits)
    const every = Math.round(1 / RATES[device])
    const clicked = Math.floor(click / 2) % every === 0
    learnFrom(learned, { row: { indexes }, placementType: 'feed', clicked })
  }
  await saveModel(db, 'conversion', {
    ...packLearned(learned),
    version: 1,
    lessons: learned.lessons,
    verdict: learned.model.verdict,
    figures: figuresOf(learned),
    cursor: FEED_START,
    updatedAt: deps.clock.now(),
  })
}

interface Clicks {
  readonly since: Date
  readonly count: number
  readonly purchases: number
  readonly chargeMicros: number
}

async function addClicks(
  { pool, campaignKey }: AgentWorld,
  { since, count, purchases, chargeMicros }: Clicks,
): Promise<void> {
  await pool.query(`select make_day_partition('clicks', $1::date)`, [since])
  await pool.query(ADD_CLICKS, [campaignKey, since, count, chargeMicros])
  await pool.query(ADD_PURCHASES, [campaignKey, since, purchases])
}

const ADD_CLICKS = `
  insert into clicks (decision_day, event_id, batch_id, decision_id, position, budget_day, campaign_id,
         occurred_at, received_at, clock, label, pricing, charge_micros, charged_millis, billing)
  select a.decided_on, gen_random_uuid(), 1, a.id, 0, a.decided_on, $1, a.auction_time, a.auction_time,
         'on-time', 'valid', 'cpc', $4::bigint, $4::bigint * 1000, 'charged'
    from auctions a
   where a.auction_time >= $2 and jsonb_array_length(a.winners) > 0
   order by a.auction_time limit $3`

const ADD_PURCHASES = `
  insert into conversion_credits (conversion_id, place, decision_day, touch, touch_event_id, touched_at,
         campaign_id, share, credited_at, kind)
  select gen_random_uuid(), 0, decision_day, 'click', event_id, occurred_at, $1, 10000, occurred_at,
         'purchase'
    from clicks where campaign_id = $1 and occurred_at >= $2 order by event_id limit $3`
