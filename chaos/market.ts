import { DAY_MS } from '@placard/calendar'
import { Dice } from '../bench/engine/dice.ts'
import {
  type Claims,
  createSealer,
  parseKeyRing,
  type Sealer,
} from '../apps/server/src/capabilities/tracking/index.ts'
import {
  type DeliveryKind,
  eventIdOf,
} from '../apps/server/src/capabilities/tracking/intake/event.ts'
import { systemRandom } from '../apps/server/src/platform/random.ts'
import type { Ids } from '../apps/server/src/platform/ids.ts'
import type { CampaignKeys } from './catalogue.ts'

/** One event that the client may send. */
export interface PlannedEvent {
  readonly eventId: string
  readonly kind: DeliveryKind
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

/** Invents decisions and the events of their readers, from a seed. */
export class Market {
  private readonly deps: MarketDeps
  private readonly dice: Dice
  private readonly sealer: Sealer

  constructor(deps: MarketDeps) {
    this.deps = deps
    this.dice = new Dice(deps.seed)
    this.sealer = createSealer(parseKeyRing(deps.trackingKeys), systemRandom)
  }

  /** An impression, and sometimes a click on it. */
  next(): PlannedEvent[] {
    const { dice } = this
    const claims = this.nextClaims()
    const token = this.sealer.seal(claims)
    const lateMs = dice.random(LATE_SHARE) ? dice.below(LATE_HOURS_MAX * 3_600_000) : 0
    const aheadMs = dice.random(AHEAD_SHARE) ? 60_000 : 0
    const shownAtMs = this.deps.now().getTime() - lateMs + aheadMs
    const hasTime = lateMs > 0 || aheadMs > 0 || dice.random(0.5)
    const event = (kind: DeliveryKind, atMs: number): PlannedEvent => ({
      kind,
      token,
      eventId: eventIdOf(claims.decisionId, kind, claims.position),
      occurredAt: hasTime ? new Date(atMs).toISOString() : undefined,
    })
    const events = [event('impression', shownAtMs)]
    if (dice.random(CLICK_SHARE)) events.push(event('click', shownAtMs + 500))
    return events
  }

  private nextClaims(): Claims {
    const { dice } = this
    const nowMs = this.deps.now().getTime()
    const { campaignKey, advertiserKey } = dice.pick(this.deps.campaigns)
    const isYesterday = dice.random(LATE_SHARE)
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
      userKey: dice.random(0.8) ? `user-${dice.below(5_000)}` : undefined,
      pricing: dice.random(0.7) ? 'cpm' : 'cpc',
      chargeMicros: 1_000 + dice.below(2_000_000),
      reservationId: undefined,
      holdId: undefined,
      issuedAtMs: nowMs,
    }
  }
}
