import { type Context, heuristicScorer, type Occasion, type Scorer } from '@placard/decision-engine'
import { type ClickModel, featureIndex, featureIndexes } from '@placard/learning'
import { CLICKS, CONVERSIONS, type Lessons } from './evidence.ts'
import { adFeatures, type ShownAd, sizeOf } from './click-features.ts'

/** An unseen value costs a hash. Beyond this many cached values the cache starts anew. */
const VALUES_MAX = 20_000

/** The weights of one field, by value. */
class Weights {
  private readonly field: string
  private readonly model: ClickModel
  private readonly known = new Map<string | number, number>()
  private readonly one = new Uint32Array(1)

  constructor(model: ClickModel, field: string) {
    this.model = model
    this.field = field
  }

  of(value: string | number | undefined): number {
    if (value === undefined) return 0
    return this.known.get(value) ?? this.meet(value)
  }

  ofAll(values: readonly string[] | undefined): number {
    let sum = 0
    if (values !== undefined) for (const value of values) sum += this.of(value)
    return sum
  }

  private meet(value: string | number): number {
    if (this.known.size >= VALUES_MAX) this.known.clear()
    this.one[0] = featureIndex(this.field, String(value), this.model.bits)
    const weight = this.model.adTerm(this.one)
    this.known.set(value, weight)
    return weight
  }
}

/** A model laid out for decisions: the term of a context takes a few look-ups. */
class Adopted {
  readonly model: ClickModel
  private readonly quiet: ReadonlySet<string>
  private readonly quietTerm: number
  private readonly readsTime: boolean
  private readonly common: number
  private readonly fields: Readonly<Record<(typeof FIELDS)[number], Weights>>
  private readonly sizes = new Map<number, string>()

  constructor(model: ClickModel, { quiet, quietTerm, readsTime }: Manner) {
    this.model = model
    this.quiet = quiet
    this.quietTerm = quietTerm
    this.readsTime = readsTime
    this.common = model.commonTerm
    this.fields = Object.fromEntries(
      FIELDS.map((field) => [field, new Weights(model, field)]),
    ) as Adopted['fields']
  }

  term(type: string, context: Context, { placement, time }: Occasion): number {
    if (this.quiet.has(type)) return this.quietTerm
    const { fields } = this
    return (
      this.common +
      fields.placementType.of(type) +
      fields.size.of(this.size(placement?.width, placement?.height)) +
      fields.site.of(placement?.siteKey) +
      (this.readsTime ? fields.hour.of(time.hour) + fields.weekday.of(time.weekday) : 0) +
      fields.device.of(context.device) +
      fields.country.of(context.country) +
      fields.segments.ofAll(context.segments) +
      fields.category.ofAll(context.categories)
    )
  }

  private size(width: number | undefined, height: number | undefined): string | undefined {
    if (width === undefined || height === undefined) return undefined
    const key = width * SIDE_MAX + height
    const known = this.sizes.get(key)
    if (known !== undefined) return known
    const size = sizeOf(width, height)!
    this.sizes.set(key, size)
    return size
  }
}

/** How a model is read. */
interface Manner extends Pick<Lessons, 'readsTime'> {
  /** Placement types whose own figures are off, and the term that holds there. */
  readonly quiet: ReadonlySet<string>
  readonly quietTerm: number
}

const SIDE_MAX = 2 ** 20
const FIELDS = [
  'placementType',
  'size',
  'site',
  'hour',
  'weekday',
  'device',
  'country',
  'segments',
  'category',
] as const

/**
 * The models as decisions use them. Without a click model, or while it is off, the table of rates
 * answers; also for a placement type whose own figures are off. Without a sound conversion model
 * nobody bids by target.
 */
export class ClickPredictor implements Scorer {
  private clicks: Adopted | undefined
  private conversions: Adopted | undefined

  readonly quality = (format: string): number => heuristicScorer.quality(format)

  contextCtr(placementType: string, context: Context, occasion: Occasion): number {
    const prior = heuristicScorer.contextCtr(placementType, context)
    if (this.clicks === undefined) return prior
    const term = this.clicks.term(placementType, context, occasion)
    const odds = (prior / (1 - prior)) * Math.exp(term)
    return odds / (1 + odds)
  }

  contextConversionOdds(placementType: string, context: Context, occasion: Occasion): number {
    if (this.conversions === undefined) return heuristicScorer.contextConversionOdds()
    const { prior } = this.conversions.model
    return (prior / (1 - prior)) * Math.exp(this.conversions.term(placementType, context, occasion))
  }

  get predictsConversions(): boolean {
    return this.conversions !== undefined
  }

  /** Puts a model to use. For placement types in `quiet` the table of rates answers. */
  adopt(model: ClickModel | undefined, quiet: ReadonlySet<string> = NOWHERE): void {
    const manner = { ...CLICKS, quiet, quietTerm: 0 }
    this.clicks = model?.isSpeaking === true ? new Adopted(model, manner) : undefined
  }

  /** Conversions have no table of rates: for placement types in `quiet` the mean answers. */
  adoptConversions(model: ClickModel | undefined, quiet: ReadonlySet<string> = NOWHERE): void {
    const isSound = model?.verdict === 'sound'
    this.conversions = isSound
      ? new Adopted(model, { ...CONVERSIONS, quiet, quietTerm: model.commonTerm })
      : undefined
  }

  /** e^(ad term). 1 means "as the context predicts". */
  oddsOf(ad: ShownAd): number {
    return adOdds(this.clicks?.model, ad)
  }

  conversionOddsOf(ad: ShownAd): number {
    return adOdds(this.conversions?.model, ad)
  }
}

const adOdds = (model: ClickModel | undefined, ad: ShownAd): number =>
  model === undefined
    ? 1
    : Math.exp(model.adTerm(featureIndexes({ ...adFeatures(ad) }, model.bits)))

const NOWHERE: ReadonlySet<string> = new Set()
