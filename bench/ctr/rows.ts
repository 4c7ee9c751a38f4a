import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Features, featureIndexes } from '../../packages/learning/src/index.ts'

export interface ClickRows {
  /** Columns that are features. */
  readonly columns: readonly string[]
  readonly clicks: Uint8Array
  readonly indexes: readonly Uint32Array[]
}

const LABELS = ['click', 'Label']
const IDENTITIES = new Set(['Id', ...LABELS])
/** Columns with counts. All others have names. */
const COUNT = /^I\d+$/

/**
 * A CSV file with a header: one column of clicks, all others are features. Empty values are missing.
 * `columns` limits the features, so that additional columns, such as prices, add no information.
 */
export function readClicks(
  file: string,
  { bits, columns }: { bits: number; columns?: readonly string[] },
): ClickRows | undefined {
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim()
  const [header, ...lines] = text.split('\n').map((line) => line.trimEnd().split(','))
  const label = header!.findIndex((name) => LABELS.includes(name))
  if (label < 0) throw new Error(`${file} has no column ${LABELS.join(' or ')}`)
  const used = columns ?? header!.filter((name) => !IDENTITIES.has(name))
  const places = used.map((name) => header!.indexOf(name))
  return {
    columns: used,
    clicks: Uint8Array.from(lines, (line) => Number(line[label])),
    indexes: lines.map((line) => featureIndexes(featuresOf(used, line, places), bits)),
  }
}

function featuresOf(
  names: readonly string[],
  line: readonly string[],
  places: readonly number[],
): Features {
  const features: Record<string, string | number> = {}
  names.forEach((name, at) => {
    const value = line[places[at]!] ?? ''
    if (value === '') return
    features[name] = COUNT.test(name) ? bucketOf(Number(value)) : value
  })
  return features
}

/** Groups counts by the square of their logarithm: small counts finely, large ones coarsely. */
const bucketOf = (count: number): number =>
  count <= 2 ? count : Math.floor(Math.log(count) ** 2) + 2

export const clicksBetween = (rows: ClickRows, from: number, to: number): ClickRows => ({
  columns: rows.columns,
  clicks: rows.clicks.slice(from, to),
  indexes: rows.indexes.slice(from, to),
})
