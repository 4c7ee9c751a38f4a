import { useAsk } from '../../api/hooks.ts'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { sayMoney } from '../../ui/format.ts'
import { sayFigure } from './figure.tsx'
import { type Asked, METRICS, type Row } from './question.ts'

interface ReportChartProps {
  readonly asked: Asked
  readonly question: object
}

/** The chosen metric over the same days; one line per currency where it is money. */
export function ReportChart({ asked, question }: ReportChartProps) {
  const { metric, period } = asked
  const step = period === '1' ? 'hour' : 'day'
  const body = {
    ...question,
    dimensions: [step],
    metrics: [metric],
    sort: [{ by: step, direction: 'asc' }],
    limit: 1_000,
  }
  const report = useAsk<{ readonly rows: readonly Row[] }>('/reports/query', body)
  const rows = report.data?.rows ?? []
  const label = METRICS.find(({ value }) => value === metric)?.label ?? metric
  const times = [...new Set(rows.map((row) => String(row[step])))].toSorted()
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted()
  const series = currencies.map((currency) => ({
    label: currencies.length > 1 ? `${label} · ${currency}` : label,
    look: 'area' as const,
    values: times.map((time) => valueAt(rows, { step, time, currency, metric })),
  }))
  const sayY = (value: number) =>
    metric.endsWith('Micros')
      ? sayMoney(String(Math.round(value)), currencies[0] ?? 'EUR')
      : sayFigure(metric, value)
  if (times.length === 0) return null
  return (
    <Card>
      <Chart
        label={`${label} by ${step}`}
        x={times.map((_time, place) => place)}
        series={series}
        sayX={(place) => sayTime(times[Math.round(place)])}
        sayY={sayY}
      />
    </Card>
  )
}

interface Point {
  readonly step: string
  readonly time: string
  readonly currency: string
  readonly metric: string
}

function valueAt(rows: readonly Row[], { step, time, currency, metric }: Point): number {
  const row = rows.find((row) => String(row[step]) === time && row.currency === currency)
  return Number(row?.[metric] ?? 0)
}

/** `2026-06-15` → `15 Jun`, an hour → `14:00`. */
function sayTime(time: string | undefined): string {
  if (time === undefined) return ''
  const [day = '', clock] = time.split(/[T ]/)
  if (clock) return clock.slice(0, 5)
  return new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
}
