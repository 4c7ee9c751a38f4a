const BUCKETS = 24
const FIRST_DAY_WEIGHT = 0.1
const NEW_DAY_WEIGHT = 0.2

/** How requests spread over a day, learned from requests (not from served ads). 1 is the average. */
export interface TrafficShape {
  readonly weekday: readonly number[]
  readonly weekend: readonly number[]
  /** Requests of the current day per bucket. */
  readonly today: readonly number[]
  /** Running average of a finished bucket's requests; undefined before the first. */
  readonly bucketAverage: number | undefined
  readonly isFirstDay: boolean
}

export type DayKind = 'weekday' | 'weekend'

const flat = (value: number): readonly number[] => Array.from({ length: BUCKETS }, () => value)

export const newTrafficShape = (): TrafficShape => ({
  weekday: flat(1),
  weekend: flat(1),
  today: flat(0),
  bucketAverage: undefined,
  isFirstDay: true,
})

/** `dayFraction` is the elapsed share of the day, so that a simulated day of ten minutes works. */
export function noteArrival(shape: TrafficShape, dayFraction: number): TrafficShape {
  return {
    ...shape,
    today: shape.today.with(bucketOf(dayFraction), at(shape.today, dayFraction) + 1),
  }
}

/** On the first day, learns each finished bucket at once. Later days are learned at their end. */
export function finishBucket(shape: TrafficShape, bucket: number, kind: DayKind): TrafficShape {
  const requests = shape.today[bucket]!
  const before = shape.bucketAverage ?? requests
  const bucketAverage = (1 - FIRST_DAY_WEIGHT) * before + FIRST_DAY_WEIGHT * requests
  if (!shape.isFirstDay) return { ...shape, bucketAverage }
  const learned =
    (1 - FIRST_DAY_WEIGHT) * shape[kind][bucket]! +
    (FIRST_DAY_WEIGHT * requests) / Math.max(1, bucketAverage)
  return { ...shape, bucketAverage, [kind]: shape[kind].with(bucket, learned) }
}

/** Learns nothing from a day without traffic. */
export function finishDay(shape: TrafficShape, kind: DayKind): TrafficShape {
  const average = sum(shape.today) / BUCKETS
  const rested = { ...shape, today: flat(0), isFirstDay: false }
  if (average === 0) return rested
  const learned = shape[kind].map(
    (before, bucket) =>
      NEW_DAY_WEIGHT * (shape.today[bucket]! / average) + (1 - NEW_DAY_WEIGHT) * before,
  )
  return { ...rested, [kind]: learned }
}

/** Share of the day's traffic up to now, linear inside a bucket. */
export function trafficCdf(volumes: readonly number[], dayFraction: number): number {
  const position = clamp(dayFraction, 0, 1) * BUCKETS
  const bucket = Math.min(BUCKETS - 1, Math.floor(position))
  const before = sum(volumes.slice(0, bucket))
  const total = sum(volumes)
  if (total === 0) return clamp(dayFraction, 0, 1)
  return (before + volumes[bucket]! * (position - bucket)) / total
}

/** Volume of the current bucket, relative to the mean. */
export function relativeVolume(volumes: readonly number[], dayFraction: number): number {
  const mean = sum(volumes) / BUCKETS
  return mean === 0 ? 1 : at(volumes, dayFraction) / mean
}

export const bucketOf = (dayFraction: number): number =>
  Math.min(BUCKETS - 1, Math.max(0, Math.floor(dayFraction * BUCKETS)))

const at = (values: readonly number[], dayFraction: number) => values[bucketOf(dayFraction)]!
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
