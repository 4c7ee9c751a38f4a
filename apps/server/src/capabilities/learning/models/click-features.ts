import { type Context, heuristicScorer } from '@placard/decision-engine'
import { type ClickFeatures, type ClickRow, featureIndexes } from '@placard/learning'

/** Where and when an ad request came from, as the click model reads it. */
export interface Place {
  readonly placementType: string
  readonly siteKey: number | undefined
  readonly width: number | undefined
  readonly height: number | undefined
  /** In the placement's time zone. Undefined for a model that does not read the time. */
  readonly hour: number | undefined
  readonly weekday: number | undefined
}

export interface ShownAd {
  /** Undefined: booked, not auctioned. */
  readonly adKey: number | undefined
  readonly campaignKey: number
  readonly format: string | undefined
}

export const sizeOf = (width: number | undefined, height: number | undefined) =>
  width === undefined || height === undefined ? undefined : `${width}x${height}`

export const adFeatures = ({ adKey, campaignKey, format }: ShownAd): ClickFeatures['ad'] => ({
  ad: adKey === undefined ? undefined : String(adKey),
  campaign: String(campaignKey),
  format,
})

function contextFeatures(place: Place, context: Context): ClickFeatures['context'] {
  return {
    placementType: place.placementType,
    size: sizeOf(place.width, place.height),
    category: context.categories,
    site: place.siteKey === undefined ? undefined : String(place.siteKey),
    hour: place.hour,
    weekday: place.weekday,
    device: context.device,
    country: context.country,
    segments: context.segments,
  }
}

/** An impression as a training example. Its prior is the observed rate of its context. */
export const clickRowOf = (
  shown: { readonly place: Place; readonly context: Context; readonly ad: ShownAd },
  bits: number,
): ClickRow => ({
  indexes: featureIndexes(
    { ...contextFeatures(shown.place, shown.context), ...adFeatures(shown.ad) },
    bits,
  ),
  prior: heuristicScorer.contextCtr(shown.place.placementType, shown.context),
})
