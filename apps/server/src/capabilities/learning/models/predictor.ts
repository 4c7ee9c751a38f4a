import { type Context, heuristicScorer, type Occasion, type Scorer } from '@placard/decision-engine'
import { type ClickModel, featureIndex, featureIndexes } from '@placard/learning'
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
  private readonly common: number
  private readonly fields: Readonly<Record<(typeof FIELDS)[number], Weights>>
  private readonly sizes = new Map<number, string>()

  constructor(model: ClickModel, quiet: ReadonlySet<string>) {
    this.model = model
    this.quiet = quiet
    this.common = model.commonTerm
    this.fields = Object.fromEntries(
      FIELDS.map((field) => [field, new Weights(model, field)]),
    ) as Adopted['fields']
  }

  term(type: string, context: Context, { placement, time }: Occasion): number {
    if (this.quiet.has(type)) return 0
    const { fields } = this
    return (
      this.common +
      fields.placementType.of(type) +
      fields.size.of(this.size(placement?.width, placement?.height)) +
      fields.site.of(placement?.siteKey) +
      fields.hour.of(time.hour) +
      fields.weekday.of(time.weekday) +
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
 * The click model as decisions use it. Without a model, or while it is off, the table of rates
 * answers; also for a placement type whose own figures are off.
 */
export class ClickPredictor implements Scorer {
  private adopted: Adopted | undefined

  readonly quality = (format: string): number => heuristicScorer.quality(format)

  contextCtr(placementType: string, context: Context, occasion: Occasion): number {
    const prior = heuristicScorer.contextCtr(placementType, context)
    if (this.adopted === undefined) return prior
    const term = this.adopted.term(placementType, context, occasion)
    const odds = (prior / (1 - prior)) * Math.exp(term)
    return odds / (1 + odds)
  }

  /** Puts a model to use. For placement types in `quiet` the table of rates answers. */
  adopt(model: ClickModel | undefined, quiet: ReadonlySet<string> = NOWHERE): void {
    this.adopted = model?.isSpeaking === true ? new Adopted(model, quiet) : undefined
  }

  /** e^(ad term). 1 means "as the context predicts". */
  oddsOf(ad: ShownAd): number {
    if (this.adopted === undefined) return 1
    const { model } = this.adopted
    return Math.exp(model.adTerm(featureIndexes({ ...adFeatures(ad) }, model.bits)))
  }
}

const NOWHERE: ReadonlySet<string> = new Set()
