import type { Placement } from '../changes/records.ts'
import { heuristicScorer, type Scorer } from '../decide/scorer.ts'
import type { Context } from '../decide/targeting.ts'

/** An ad scores differently in different placements, as it does with a learned model. */
export const clickRateOn = ({ key, type }: Placement, context: Context): number =>
  heuristicScorer.contextCtr(type, context) * (1 + (key % 2) / 4)

/** Clicks on phones convert less. */
export const conversionOddsOn = ({ key }: Placement, { device }: Context): number =>
  (device === 'mobile' ? 0.01 : 0.09) * (1 + (key % 2) / 4)

export const scorerOfPlaces: Scorer = {
  contextCtr: (_type, context, { placement }) => clickRateOn(placement!, context),
  contextConversionOdds: (_type, context, { placement }) => conversionOddsOn(placement!, context),
  quality: (format) => heuristicScorer.quality(format),
}
