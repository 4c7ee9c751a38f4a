import {
  ClickModel,
  type ClickModelSnapshot,
  type ClickRow,
  maySpeak,
  Watch,
  type WatchFigures,
  type WatchSnapshot,
  type WatchVerdict,
} from '@placard/learning'

/** A model with its own monitoring figures. */
export interface Learned {
  readonly model: ClickModel
  /** Monitoring figures by placement type. */
  readonly slices: Map<string, Watch>
  lessons: number
}

export interface Lesson {
  readonly row: ClickRow
  readonly placementType: string
  readonly clicked: boolean
  /** The share of unclicked examples that is used; each is weighted by 1 / share. */
  readonly negativeShare?: number | undefined
}

/** The rate of the table for an unknown type. */
const CLICK_PRIOR = 0.02
const SLICES_MAX = 50

export const newLearned = (prior = CLICK_PRIOR): Learned => ({
  model: new ClickModel({ prior }),
  slices: new Map(),
  lessons: 0,
})

export function learnFrom(learned: Learned, lesson: Lesson): void {
  const { model, slices } = learned
  const { row, placementType, clicked, negativeShare = 1 } = lesson
  const rate = model.learn(row, clicked, negativeShare)
  learned.lessons++
  let slice = slices.get(placementType)
  if (slice === undefined) {
    if (slices.size >= SLICES_MAX) return
    slice = new Watch()
    slices.set(placementType, slice)
  }
  slice.note(rate, { clicked, weight: clicked ? 1 : 1 / negativeShare })
}

/** Placement types for which the table of rates answers instead. */
export const quietTypes = ({ slices }: Learned): ReadonlySet<string> =>
  new Set([...slices].filter(([, watch]) => !maySpeak(watch.verdict())).map(([type]) => type))

export interface Figures extends WatchFigures {
  readonly verdict: WatchVerdict
}

export interface LearnedFigures {
  readonly all: Figures
  readonly types: Readonly<Record<string, Figures>>
}

export const figuresOf = ({ model, slices }: Learned): LearnedFigures => ({
  all: { ...model.figures(), verdict: model.verdict },
  types: Object.fromEntries(
    [...slices].map(([type, watch]) => [type, { ...watch.figures(), verdict: watch.verdict() }]),
  ),
})

/** A model as stored: weights as bytes, because there are many. */
export interface PackedModel {
  readonly state: PackedState
  readonly weights: Buffer
}

export interface PackedState extends Omit<ClickModelSnapshot, 'ftrl'> {
  readonly ftrl: Omit<ClickModelSnapshot['ftrl'], 'indexes' | 'z' | 'n'>
  readonly slices: Readonly<Record<string, WatchSnapshot>>
}

const WEIGHT_BYTES = 20

export function packLearned({ model, slices }: Learned): PackedModel {
  const { ftrl, ...rest } = model.snapshot()
  const { indexes, z, n, ...settings } = ftrl
  const weights = Buffer.alloc(indexes.length * WEIGHT_BYTES)
  indexes.forEach((index, at) => {
    weights.writeUInt32LE(index, at * WEIGHT_BYTES)
    weights.writeDoubleLE(z[at]!, at * WEIGHT_BYTES + 4)
    weights.writeDoubleLE(n[at]!, at * WEIGHT_BYTES + 12)
  })
  const kept = [...slices].map(([type, watch]) => [type, watch.snapshot()])
  return { state: { ...rest, ftrl: settings, slices: Object.fromEntries(kept) }, weights }
}

/** Undefined if a number is not finite. Such a model is not used, and is trained anew. */
export function unpackLearned({ state, weights }: PackedModel): Learned | undefined {
  const { slices, ftrl, ...rest } = state
  const indexes: number[] = []
  const z: number[] = []
  const n: number[] = []
  for (let at = 0; at + WEIGHT_BYTES <= weights.length; at += WEIGHT_BYTES) {
    indexes.push(weights.readUInt32LE(at))
    z.push(weights.readDoubleLE(at + 4))
    n.push(weights.readDoubleLE(at + 12))
  }
  const isWhole =
    [...z, ...n, ftrl.bias, ...rest.calibration.belief].every(Number.isFinite) &&
    indexes.every((index) => index < 2 ** ftrl.settings.bits)
  if (!isWhole) return undefined
  return {
    model: ClickModel.restore({ ...rest, ftrl: { ...ftrl, indexes, z, n } }),
    slices: new Map(Object.entries(slices).map(([type, kept]) => [type, Watch.restore(kept)])),
    lessons: 0,
  }
}
