import { addAccount } from '../world.ts'
import {
  addCampaign,
  aMarket,
  eventsOf,
  type Market,
  settlerOn,
  stepOf,
} from '../../capabilities/tracking/testing.ts'
import { eventIdOf, type TrackedEvent, utcDayOf } from '../../capabilities/tracking/intake/event.ts'
import { addStep } from '../../capabilities/reports/cube/builder.ts'
import { until } from '../until.ts'

const LABELS = ['valid', 'valid', 'valid', 'bot', 'burst'] as const
const COUNTRIES = ['DE', 'FR', 'IN', undefined] as const
const DEVICES = ['mobile', 'desktop', undefined] as const
const HOUR_MS = 3_600_000

/** Dice with the same throws in every run. */
export function diceOf(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** A minute later. A click without an impression would not be valid. */
const clickOn = (shown: TrackedEvent): TrackedEvent => ({
  ...shown,
  kind: 'click',
  eventId: eventIdOf(shown.decisionId!, 'click', shown.position),
  occurredAtMs: shown.occurredAtMs + 60_000,
})

/** Two advertisers with campaigns, in two accounts, and several days of events, settled in many batches. */
export async function aHistory({ events = 600, seed = 1 } = {}) {
  const market = await aMarket()
  const { pool, deps } = market
  const rival = await addAccount(deps, 'advertiser')
  const { rows } = await pool.query(
    `insert into advertisers (public_id, account_id, name, currency, time_zone, created_at, updated_at)
     values ($1, $2, 'Contoso', 'USD', 'Asia/Kolkata', now(), now()) returning id`,
    [deps.ids.next(), rival.id],
  )
  const rivalKey = Number(rows[0].id)
  const campaigns = [
    { advertiserKey: market.advertiserKey, key: await addCampaign(market) },
    {
      advertiserKey: market.advertiserKey,
      key: await addCampaign(market, { dailyMicros: 50_000n }),
    },
    {
      advertiserKey: rivalKey,
      key: await addCampaign({ ...market, accountId: rival.id, advertiserKey: rivalKey }),
    },
  ]
  const happened = drawEvents(market, { campaigns, events, seed })
  happened.push(...drawSteps(happened, diceOf(seed + 1)))
  const settler = settlerOn(market)
  for (let at = 0; at < happened.length; at += 37) {
    await settler.settle(happened.slice(at, at + 37), { countsRepeats: true })
  }
  const observer = { added: () => {}, rebuilt: () => {}, failed: () => {} }
  return {
    ...market,
    settler,
    happened,
    rival,
    campaigns,
    /** Waits until everything is added; transactions of other databases may hold the feed back. */
    async addAll() {
      await until('every batch is added', async () => {
        const hasMore = await addStep({ db: market.db, clock: market.deps.clock, observer })
        const { rows } = await pool.query(
          `select 1 from settled_batches
            where (xid, id) > (select xid, id from stats_cursors where source = 'tracking') limit 1`,
        )
        return !hasMore && rows.length === 0
      })
    },
  }
}

export type History = Awaited<ReturnType<typeof aHistory>>

const STEPS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'mute'] as const

/** Half of the impressions are of films, which are watched for a while. */
const drawSteps = (shown: readonly TrackedEvent[], dice: ReturnType<typeof diceOf>) =>
  shown.flatMap((event) => {
    const steps = event.kind === 'impression' ? STEPS.slice(0, dice(2 * STEPS.length)) : []
    return steps.map((name) => stepOf(event, name))
  })

interface Drawing {
  readonly campaigns: readonly { readonly advertiserKey: number; readonly key: number }[]
  readonly events: number
  readonly seed: number
}

function drawEvents(market: Market, { campaigns, events, seed }: Drawing): TrackedEvent[] {
  const { deps } = market
  const dice = diceOf(seed)
  const anEvent = eventsOf(market)
  const shown: TrackedEvent[] = []
  return Array.from({ length: events }, (): TrackedEvent => {
    const before = shown.shift()
    if (before && dice(4) === 0) return clickOn(before)
    const campaign = campaigns[dice(campaigns.length)]!
    const pricing = dice(2) === 0 ? 'cpm' : 'cpc'
    const occurredAtMs = deps.clock.now().getTime() - dice(60) * HOUR_MS - dice(60) * 60_000
    const decisionDay = utcDayOf(occurredAtMs) - dice(2)
    const event = anEvent({
      kind: (['impression', 'impression', 'view', 'click'] as const)[dice(4)]!,
      campaignKey: campaign.key,
      advertiserKey: campaign.advertiserKey,
      winnerKey: 1 + dice(3),
      bannerKey: 1 + dice(3),
      placementKey: 1 + dice(2),
      siteKey: dice(2) === 0 ? undefined : 7,
      countryCode: COUNTRIES[dice(COUNTRIES.length)],
      deviceType: DEVICES[dice(DEVICES.length)],
      label: LABELS[dice(LABELS.length)]!,
      occurredAtMs,
      decisionDay,
      budgetDay: decisionDay,
      pricing,
      chargeMicros: 1_000 + dice(1_000_000),
    })
    if (event.kind === 'impression') shown.push(event)
    return event
  })
}
