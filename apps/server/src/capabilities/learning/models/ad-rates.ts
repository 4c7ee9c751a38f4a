import { localTime, ZoneClocks } from '@placard/calendar'
import { type Context, heuristicScorer } from '@placard/decision-engine'
import type { Database } from '../../../platform/database/connect.ts'
import { clickRowOf, type ShownAd } from './click-features.ts'
import { CLICKS, CONVERSIONS, type Lessons } from './evidence.ts'
import { type Learned, quietTypes, unpackLearned } from './learned.ts'
import { findModel } from './store-models.ts'

/** Where and when an auction was held. */
export interface Scene {
  readonly placementType: string
  readonly siteKey: number | null
  readonly width: number | null
  readonly height: number | null
  readonly timeZone: string
  readonly context: Context | null
}

type SceneAt = Scene & { readonly atMs: number }

/** What the models say of an ad in a past auction, as decisions would predict it. */
export interface AdRates {
  /** Clicks per impression. */
  clickRate(scene: SceneAt, ad: ShownAd): number
  /** Purchases per click. */
  conversionRate(scene: SceneAt, ad: ShownAd): number
}

/** Undefined while the conversion model is not sound: then nobody bids by it. */
export async function loadAdRates(db: Database): Promise<AdRates | undefined> {
  const conversions = await load(db, 'conversion')
  if (conversions?.model.verdict !== 'sound') return undefined
  const clicks = await load(db, 'click')
  const quiet = clicks ? quietTypes(clicks) : undefined
  const zones = new ZoneClocks()
  const rowOf = (scene: SceneAt, ad: ShownAd, how: { lessons: Lessons; bits: number }) =>
    clickRowOf(
      { place: placeOf(scene, zones, how.lessons), context: scene.context ?? {}, ad },
      how.bits,
    )
  return {
    clickRate(scene, ad) {
      const { placementType, context } = scene
      if (clicks === undefined || quiet?.has(placementType) === true) {
        return heuristicScorer.contextCtr(placementType, context ?? {})
      }
      const { model } = clicks
      return model.predict(rowOf(scene, ad, { lessons: CLICKS, bits: model.bits }))
    },
    conversionRate(scene, ad) {
      const { model } = conversions
      const { indexes } = rowOf(scene, ad, { lessons: CONVERSIONS, bits: model.bits })
      return model.predict({ indexes })
    },
  }
}

async function load(db: Database, evidence: Lessons['evidence']): Promise<Learned | undefined> {
  const row = await findModel(db, evidence)
  return row && unpackLearned(row)
}

function placeOf(
  { atMs, timeZone, placementType, siteKey, width, height }: SceneAt,
  zones: ZoneClocks,
  { readsTime }: Lessons,
) {
  const clock = zones.find(timeZone) ?? zones.find('UTC')!
  const time = readsTime ? localTime(clock, atMs) : undefined
  return {
    placementType,
    siteKey: siteKey ?? undefined,
    width: width ?? undefined,
    height: height ?? undefined,
    hour: time?.hour,
    weekday: time?.weekday,
  }
}
