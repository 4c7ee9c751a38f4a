import { DIMENSION_WORDS, METRIC_WORDS, valueWord } from '@placard/contract/report-words'
import { micros, toDecimal } from '@placard/money'
import { deriveMetrics, NO_SUMS, rounded } from '../metrics.ts'
import type { ReportRow } from '../reads.ts'
import type { Question } from '../report.ts'

type Cell = string | number | null

/** Columns of a file for people: names instead of ids, and amounts in units of the row's currency. */
export const columnsInWords =
  ({ dimensions, metrics }: Question, isCompared: boolean) =>
  ({ dimensions: values, currency, sums, previous }: ReportRow): Readonly<Record<string, Cell>> => {
    const now = deriveMetrics(sums, metrics)
    const before = deriveMetrics(previous ?? NO_SUMS, metrics)
    return {
      ...Object.fromEntries(
        dimensions.map((name) => [
          DIMENSION_WORDS[name],
          valueWord(name, values[`${name}Name`] ?? values[name]),
        ]),
      ),
      Currency: currency,
      ...Object.fromEntries(
        metrics.flatMap((name): [string, Cell][] => {
          const word = METRIC_WORDS[name]
          const own: [string, Cell] = [word, amountIn(name, now[name]!)]
          if (!isCompared) return [own]
          return [
            own,
            [`${word}, period before`, amountIn(name, before[name]!)],
            [`${word}, change in %`, changeIn(Number(now[name]), Number(before[name]))],
          ]
        }),
      ),
    }
  }

const amountIn = (metric: string, value: string | number): Cell =>
  metric.endsWith('Micros') ? toDecimal(micros(BigInt(value))) : value

/** Empty without a figure to compare with. */
const changeIn = (now: number, before: number): number | null =>
  before === 0 ? null : rounded((now / before - 1) * 100, 1)

/** A name that every system takes: `Weekly spend` of June is `weekly-spend-2026-06-01-2026-06-30.csv`. */
export function fileName(
  name: string | undefined,
  { from, to, format }: { readonly from: string; readonly to: string; readonly format: string },
): string {
  const plain = (name ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${plain.slice(0, 80) || 'report'}-${from}-${to}.${format}`
}
