import pg from 'pg'
import { Dice } from '../bench/engine/dice.ts'
import {
  type Claims,
  createSealer,
  parseKeyRing,
  type Sealer,
} from '../apps/server/src/capabilities/tracking/index.ts'
import { type EventKind, eventIdOf } from '../apps/server/src/capabilities/tracking/event.ts'
import { systemChance } from '../apps/server/src/platform/chance.ts'
import type { Ids } from '../apps/server/src/platform/ids.ts'

const DAY_MS = 86_400_000
const ADVERTISERS = 10
const CAMPAIGNS = 100
/** So many have budgets that the load uses up. */
const POOR = 20
const POOR_DAILY_MICROS = 150_000
const POOR_TOTAL_MICROS = 200_000

/** Advertisers and campaigns, some rich, some soon out of money. */
export async function addCatalogue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    insert into accounts (public_id, kind, name, created_at, updated_at)
      values (gen_random_uuid(), 'advertiser', 'chaos', now(), now());
    insert into advertisers (public_id, account_id, name, currency, budget_daily_micros, created_at, updated_at)
      select gen_random_uuid(), (select max(id) from accounts), 'a' || i, 'EUR', case when i = 0 then 2000000 end, now(), now()
        from generate_series(0, ${ADVERTISERS - 1}) as i;
    insert into campaigns (public_id, account_id, advertiser_id, name, budget_daily_micros, budget_total_micros, created_at, updated_at)
      select gen_random_uuid(), (select max(id) from accounts),
             (select min(id) from advertisers where name = 'a' || i % ${ADVERTISERS}), 'c' || i,
             case when i < ${POOR} then ${POOR_DAILY_MICROS} else 1e14 end,
             case when i < ${POOR} then ${POOR_TOTAL_MICROS} end, now(), now()
        from generate_series(0, ${CAMPAIGNS - 1}) as i`)
  await client.end()
}

interface CampaignKeys {
  readonly campaignKey: number
  readonly advertiserKey: number
}

export async function listCampaigns(url: string): Promise<readonly CampaignKeys[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select c.id::integer as "campaignKey", c.advertiser_id::integer as "advertiserKey"
       from campaigns c join advertisers a on a.id = c.advertiser_id
      where c.name ~ '^c[0-9]+$' and a.name ~ '^a[0-9]+$' order by c.id`,
  )
  await client.end()
  return rows
}

/** One event that the client may send. */
export interface PlannedEvent {
  readonly eventId: string
  readonly kind: EventKind
  readonly token: string
  readonly occurredAt: string | undefined
}

export interface MarketDeps {
  readonly campaigns: readonly CampaignKeys[]
  readonly trackingKeys: string
  readonly seed: number
  readonly ids: Ids
  now(): Date
}

const LATE_SHARE = 0.1
const LATE_HOURS_MAX = 20
const AHEAD_SHARE = 0.02
const CLICK_SHARE = 0.2

/** Makes up decisions and what readers do about them; the seed decides which. */
export class Market {
  private readonly deps: MarketDeps
  private readonly dice: Dice
  private readonly sealer: Sealer

  constructor(deps: MarketDeps) {
    this.deps = deps
    this.dice = new Dice(deps.seed)
    this.sealer = createSealer(parseKeyRing(deps.trackingKeys), systemChance)
  }

  /** An impression, and sometimes a click on it. */
  next(): PlannedEvent[] {
    const { dice } = this
    const claims = this.nextClaims()
    const token = this.sealer.seal(claims)
    const lateMs = dice.chance(LATE_SHARE) ? dice.below(LATE_HOURS_MAX * 3_600_000) : 0
    const aheadMs = dice.chance(AHEAD_SHARE) ? 60_000 : 0
    const shownAtMs = this.deps.now().getTime() - lateMs + aheadMs
    const isTold = lateMs > 0 || aheadMs > 0 || dice.chance(0.5)
    const event = (kind: EventKind, atMs: number): PlannedEvent => ({
      kind,
      token,
      eventId: eventIdOf(claims.decisionId, kind, claims.position),
      occurredAt: isTold ? new Date(atMs).toISOString() : undefined,
    })
    const events = [event('impression', shownAtMs)]
    if (dice.chance(CLICK_SHARE)) events.push(event('click', shownAtMs + 500))
    return events
  }

  private nextClaims(): Claims {
    const { dice } = this
    const nowMs = this.deps.now().getTime()
    const { campaignKey, advertiserKey } = dice.pick(this.deps.campaigns)
    const isYesterday = dice.chance(LATE_SHARE)
    const utcDay = Math.floor(nowMs / DAY_MS) - (isYesterday ? 1 : 0)
    return {
      kind: 'event',
      decisionId: this.deps.ids.next(),
      position: dice.below(3),
      utcDay,
      budgetDay: utcDay,
      winner: {
        source: 'ad',
        key: campaignKey,
        bannerKey: campaignKey,
        campaignKey,
        advertiserKey,
      },
      placementKey: 1 + dice.below(5),
      siteKey: undefined,
      userKey: dice.chance(0.8) ? `user-${dice.below(5_000)}` : undefined,
      pricing: dice.chance(0.7) ? 'cpm' : 'cpc',
      chargeMicros: 1_000 + dice.below(2_000_000),
      reservationId: undefined,
      holdId: undefined,
      issuedAtMs: nowMs,
    }
  }
}
