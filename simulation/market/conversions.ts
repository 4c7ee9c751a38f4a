import { clickRowOf } from '../../apps/server/src/capabilities/learning/models/click-features.ts'
import {
  learnFrom,
  newLearned,
  quietTypes,
} from '../../apps/server/src/capabilities/learning/models/learned.ts'
import type { ClickPredictor } from '../../apps/server/src/capabilities/learning/models/predictor.ts'
import { CONVERSIONS } from '../../apps/server/src/capabilities/learning/models/evidence.ts'
import {
  applyChange,
  type DecisionIndex,
  type Winner,
} from '../../packages/decision-engine/src/index.ts'
import { type Draws, seededDraws } from '../../packages/learning/src/index.ts'
import { sigmoid, trueRate, TYPES, type Visit, type World } from './world.ts'

/** Every showing stands for so many like it, as in a market with a million requests a day. */
const SCALE = 50
const BASE_ODDS = Math.log(0.05 / 0.95)
const BY_DEVICE = [-0.4, 0.35, 0]
const BY_COUNTRY = [0.1, -0.2, -0.3, 0.2]

/** Who buys after a click: nobody in the market knows it. */
export class Buyers {
  private readonly appeal: readonly number[]
  private readonly types: Readonly<Record<string, number>>
  private readonly world: World

  constructor(world: World) {
    const draws = seededDraws(world.seed * 31 + 7)
    this.world = world
    this.appeal = world.campaigns.map(() => 0.5 * normal(draws))
    this.types = Object.fromEntries(TYPES.map((type) => [type, 0.35 * normal(draws)]))
  }

  /** Purchases per click. */
  rate(campaignKey: number, { device, country, placement }: Visit): number {
    return sigmoid(
      BASE_ODDS +
        this.appeal[campaignKey - 1]! +
        this.types[placement.type]! +
        BY_DEVICE[device]! +
        BY_COUNTRY[country]!,
    )
  }

  /** Purchases that a showing brings on average. */
  purchases(campaignKey: number, visit: Visit): number {
    return trueRate(this.world.campaigns[campaignKey - 1]!, visit) * this.rate(campaignKey, visit)
  }
}

interface Lesson {
  readonly visit: Visit
  readonly campaignKey: number
  readonly converted: boolean
}

/** The conversion model of a market, taught a day later by the clicks that were drawn. */
export class Conversions {
  private readonly learned = newLearned(CONVERSIONS.prior)
  private readonly buyers: Buyers
  private readonly world: World
  private readonly draws: Draws
  private waiting: readonly Lesson[] = []
  private today: Lesson[] = []

  constructor(world: World, buyers: Buyers) {
    this.world = world
    this.buyers = buyers
    this.draws = seededDraws(world.seed * 77 + 1)
  }

  /** Clicks and purchases of what a showing stands for. Returns how many. */
  note({ key: campaignKey }: Winner, visit: Visit): { clicks: number; purchases: number } {
    const clicks = poisson(
      this.draws,
      SCALE * trueRate(this.world.campaigns[campaignKey - 1]!, visit),
    )
    let purchases = 0
    for (let click = 0; click < clicks; click++) {
      const converted = this.draws.next() < this.buyers.rate(campaignKey, visit)
      if (converted) purchases++
      this.today.push({ visit, campaignKey, converted })
    }
    return { clicks, purchases }
  }

  /** A click waits a day for its purchase. */
  endDay(index: DecisionIndex, predictor: ClickPredictor): void {
    for (const { visit, campaignKey, converted } of this.waiting) {
      const row = { indexes: this.indexesOf(visit, campaignKey) }
      learnFrom(this.learned, { row, placementType: visit.placement.type, clicked: converted })
    }
    this.waiting = this.today
    this.today = []
    predictor.adoptConversions(this.learned.model, quietTypes(this.learned))
    for (const { key } of this.world.campaigns) {
      const odds = predictor.conversionOddsOf(adOf(key))
      applyChange(index, { put: 'conversion-odds', record: { adKey: key, odds } })
    }
  }

  get isSound(): boolean {
    return this.learned.model.verdict === 'sound'
  }

  predict(visit: Visit, campaignKey: number): number {
    return this.learned.model.predict({ indexes: this.indexesOf(visit, campaignKey) })
  }

  private indexesOf({ placement, context }: Visit, campaignKey: number): Uint32Array {
    const place = {
      placementType: placement.type,
      siteKey: undefined,
      width: undefined,
      height: undefined,
      hour: undefined,
      weekday: undefined,
    }
    return clickRowOf({ place, context, ad: adOf(campaignKey) }, this.learned.model.bits).indexes
  }
}

const adOf = (key: number) => ({ adKey: key, campaignKey: key, format: 'single_image' })

function poisson(draws: Draws, mean: number): number {
  let count = -1
  for (let left = 1; left > Math.exp(-mean); left *= draws.next()) count++
  return count
}

const normal = (draws: Draws): number =>
  Math.sqrt(-2 * Math.log(1 - draws.next())) * Math.cos(2 * Math.PI * draws.next())
