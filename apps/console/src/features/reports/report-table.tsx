import { type Column, DataTable } from '../../ui/data-table.tsx'
import { cx } from '../../ui/cx.ts'
import { saySharePercent } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Figure } from './figure.tsx'
import {
  type Asked,
  changeOf,
  DIMENSIONS,
  dimensionsOf,
  METRICS,
  nameIn,
  type Row,
} from './question.ts'

interface ReportTableProps {
  readonly asked: Asked
  readonly rows: readonly Row[]
  readonly totals: readonly Row[]
}

const labelOf = (dimension: string) =>
  DIMENSIONS.find(({ value }) => value === dimension)?.label ?? dimension

/** One row per thing; the sums stand first, one line per currency. */
export function ReportTable({ asked, rows, totals }: ReportTableProps) {
  const dimensions = dimensionsOf(asked)
  const keyOf = (row: Row) => [...dimensions.map((one) => nameIn(row, one)), row.currency].join('|')
  return (
    <>
      <div className="border-b bg-sunken/40 py-2">
        {totals.map((total) => (
          <dl
            key={total.currency}
            className="grid grid-cols-2 gap-4 px-4 py-1.5 sm:grid-cols-4 lg:grid-cols-8"
          >
            {METRICS.map(({ value, label }) => (
              <div key={value}>
                <dt className="truncate text-xs text-ink-faint">
                  {label}
                  {totals.length > 1 && ` · ${total.currency}`}
                </dt>
                <dd className="font-semibold">
                  <Figure metric={value} value={total[value]} currency={total.currency} />
                  <Moved by={changeOf(total, value)} />
                </dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
      <DataTable
        label="Report"
        columns={columnsOf(asked)}
        rows={rows}
        keyOf={keyOf}
        empty={<EmptyState title="No rows" />}
      />
    </>
  )
}

function columnsOf(asked: Asked): Column<Row>[] {
  const names = dimensionsOf(asked).map((dimension, place): Column<Row> => ({
    name: dimension,
    label: labelOf(dimension),
    sortBy: (row) => nameIn(row, dimension),
    cell: (row) => nameIn(row, dimension),
    ...(place > 0 && { width: '9rem' }),
  }))
  const figures = METRICS.map(({ value, label }, place): Column<Row> => ({
    name: value,
    label,
    width: '7.5rem',
    isNumber: true,
    ...(value !== asked.metric && { from: place < 3 ? 'md' : place < 6 ? 'lg' : 'xl' }),
    sortBy: (row) => Number(row[value] ?? 0),
    cell: (row) => (
      <>
        <Figure metric={value} value={row[value]} currency={row.currency} />
        <Moved by={changeOf(row, value)} />
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
