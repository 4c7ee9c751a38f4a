import { type Column, DataTable } from '../../ui/data-table.tsx'
import { cx } from '../../ui/cx.ts'
import { saySharePercent } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { Figure } from './figure.tsx'
import {
  type ReportQuestion,
  changeOf,
  DIMENSIONS,
  labelOf,
  METRICS,
  nameIn,
  type Row,
} from './question.ts'

interface ReportTableProps {
  readonly question: ReportQuestion
  readonly rows: readonly Row[]
  readonly totals: readonly Row[]
}

const NAME_REM = 11
const FIGURE_REM = 7.5
const COMPARED_REM = 9.5

const widthOf = ({ isCompared }: ReportQuestion) => (isCompared ? COMPARED_REM : FIGURE_REM)

/** The report as a table. Totals come first, one row per currency. */
export function ReportTable({ question, rows, totals }: ReportTableProps) {
  const { dimensions, metrics } = question
  const keyOf = (row: Row) =>
    [...dimensions.map((one) => row[`${one}Id`] ?? nameIn(row, one)), row.currency].join('|')
  const minWidth = `${dimensions.length * NAME_REM + metrics.length * widthOf(question)}rem`
  return (
    <>
      <div className="border-b bg-sunken/40 py-2">
        {totals.map((total) => (
          <dl
            key={total.currency}
            className="grid grid-cols-2 gap-4 px-4 py-1.5 sm:grid-cols-4 lg:grid-cols-7"
          >
            {metrics.map((metric) => (
              <div key={metric}>
                <dt className="truncate text-xs text-ink-faint">
                  {labelOf(METRICS, metric)}
                  {totals.length > 1 && ` · ${total.currency}`}
                </dt>
                <dd className="font-semibold">
                  <Figure metric={metric} value={total[metric]} currency={total.currency} />
                  <Moved by={changeOf(total, metric)} />
                </dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
      <div className="overflow-x-auto">
        <div style={{ minWidth }}>
          <DataTable
            label="Report"
            columns={columnsOf(question)}
            rows={rows}
            keyOf={keyOf}
            empty={<EmptyState title="No rows" />}
          />
        </div>
      </div>
    </>
  )
}

function columnsOf(question: ReportQuestion): Column<Row>[] {
  const { dimensions, metrics } = question
  const names = dimensions.map((dimension): Column<Row> => ({
    name: dimension,
    label: labelOf(DIMENSIONS, dimension),
    sortBy: (row) => nameIn(row, dimension),
    cell: (row) => nameIn(row, dimension),
  }))
  const figures = metrics.map((metric): Column<Row> => ({
    name: metric,
    label: labelOf(METRICS, metric),
    width: `${widthOf(question)}rem`,
    isNumber: true,
    sortBy: (row) => Number(row[metric] ?? 0),
    cell: (row) => (
      <>
        <Figure metric={metric} value={row[metric]} currency={row.currency} />
        <Moved by={changeOf(row, metric)} />
      </>
    ),
  }))
  return [...names, ...figures]
}

function Moved({ by }: { readonly by: number | undefined }) {
  if (by === undefined) return null
  return (
    <span className={cx('ml-1.5 text-xs figures', by >= 0 ? 'text-good' : 'text-bad')}>
      {by > 0 ? '+' : ''}
      {saySharePercent(by, 0)}
    </span>
  )
}
