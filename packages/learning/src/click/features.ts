/** A feature's value. Several values, such as segments, are several features of one field. */
type FeatureValue = string | number | readonly string[] | undefined

export type Features = Readonly<Record<string, FeatureValue>>

/**
 * Input of the click model. Ad features and context features are hashed separately, so that an ad's part
 * of the margin is one number that the decision index can store.
 */
export interface ClickFeatures {
  readonly context: {
    readonly placementType?: string | undefined
    readonly size?: string | undefined
    readonly category?: readonly string[] | undefined
    readonly site?: string | undefined
    readonly hour?: number | undefined
    readonly weekday?: number | undefined
    readonly device?: string | undefined
    readonly country?: string | undefined
    readonly segments?: readonly string[] | undefined
  }
  readonly ad: {
    readonly ad?: string | undefined
    readonly campaign?: string | undefined
    readonly format?: string | undefined
  }
}

/** The table indexes of all features that have a value. The same text always has the same index. */
export function featureIndexes(features: Features, bits: number): Uint32Array {
  const indexes: number[] = []
  for (const [field, value] of Object.entries(features)) {
    if (value === undefined) continue
    if (typeof value === 'object')
      for (const one of value) indexes.push(featureIndex(field, one, bits))
    else indexes.push(featureIndex(field, String(value), bits))
  }
  return Uint32Array.from(indexes)
}

/** FNV-1a over `field=value`, with a final mix so that the low bits depend on the whole text. */
export function featureIndex(field: string, value: string, bits: number): number {
  let hash = fnv(0x811c9dc5, field)
  hash = Math.imul(hash ^ EQUALS, FNV_PRIME)
  hash = fnv(hash, value)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> (32 - bits)
}

const FNV_PRIME = 0x01000193
const EQUALS = 61

function fnv(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  }
  return hash
}
