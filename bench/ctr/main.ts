import path from 'node:path'
import { parseArgs } from 'node:util'
import { FTRL_DEFAULTS } from '../../packages/learning/src/index.ts'
import { measureFolds, measureStream } from './measure.ts'
import { type ClickRows, readClicks, clicksBetween } from './rows.ts'

/**
 * `node bench/ctr/main.ts [--train FILE] [--stream FILE] [--folds FILE]` prints one line of JSON. Without
 * a stream, the last third of the train file is used. `folds` is a sample for cross-validation.
 */
const DATA = path.join(import.meta.dirname, '../..', '../shared/data/ctr')
const FOLDS = 5

const started = performance.now()
const { values } = parseArgs({
  options: { train: { type: 'string' }, stream: { type: 'string' }, folds: { type: 'string' } },
})
const train = rowsOf(values.train ?? path.join(DATA, 'ipinyou-2997-train.csv.gz'))
const parts =
  values.stream === undefined
    ? lastThird(train)
    : { train, stream: rowsOf(values.stream, train.columns) }
console.error(`learning ${parts.train.clicks.length} rows, streaming ${parts.stream.clicks.length}`)
const streamed = measureStream(parts.train, parts.stream)

const sample = readClicks(values.folds ?? path.join(DATA, 'criteo-tiny.csv.gz'), {
  bits: FTRL_DEFAULTS.bits,
})
if (sample === undefined) console.error('no sample for the folds')
const folds = sample === undefined ? undefined : measureFolds(sample, FOLDS)
const seconds = Math.round((performance.now() - started) / 100) / 10
console.log(JSON.stringify({ ...streamed, folds, seconds }))

function rowsOf(file: string, columns?: readonly string[]): ClickRows {
  const rows = readClicks(file, {
    bits: FTRL_DEFAULTS.bits,
    ...(columns === undefined ? {} : { columns }),
  })
  if (rows === undefined) {
    console.error(`No rows in ${file}. It must be a CSV file with a column of clicks.`)
    process.exit(1)
  }
  return rows
}

function lastThird(rows: ClickRows): { train: ClickRows; stream: ClickRows } {
  const kept = Math.floor((rows.clicks.length * 2) / 3)
  return {
    train: clicksBetween(rows, 0, kept),
    stream: clicksBetween(rows, kept, rows.clicks.length),
  }
}
