import { usePostRead } from '../../api/hooks.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Chart, type Series } from '../../ui/figures/chart.tsx'
import { isAmount, sayFigure } from './figure.tsx'
import { type ReportQuestion, labelOf, METRICS, nameIn, questionOf, type Row } from './question.ts'

interface ReportChartProps {
  readonly question: ReportQuestion
  readonly zone: string
}

interface Answered {
  readonly rows: readonly Row[]
}

/** The chosen metric over time: a line per currency and channel, and the previous period. Amounts have a chart per currency. */
export function ReportChart({ question, zone }: ReportChartProps) {
  const { picture } = question
  const isOneDay = question.period === 'today' || question.period === 'yesterday'
  const step = isOneDay && !question.hasAllChannels ? 'hour' : 'day'
  const body = {
    ...questionOf(question, zone),
    dimensions: question.hasAllChannels ? [step, 'channel'] : [step],
    metrics: [picture],
    sort: [{ by: step, direction: 'asc' }],
    limit: 1_000,
    ...(question.isCompared && { compare: 'previous-period' }),
  }
  const report = usePostRead<Answered>('/reports/query', body)
  const rows = report.data?.rows ?? []
  const times = [...new Set(rows.map((row) => String(row[step])))].toSorted()
  if (times.length < 2) return null
  // Amounts of different currencies share no axis.
  const drawings = isAmount(picture)
    ? [...Map.groupBy(rows, ({ currency }) => currency).values()]
    : [rows]
  return drawings.map((drawn) => (
    <Card key={drawn[0]!.currency}>
      <Chart
        label={`${labelOf(METRICS, picture)} by ${step}${drawings.length > 1 ? `, ${drawn[0]!.currency}` : ''}`}
        x={times.map((_time, place) => place)}
        series={linesOf(drawn, { step, times, question })}
        sayX={(place) => sayTime(times[Math.round(place)])}
        sayY={(value) => sayFigure(picture, value, drawn[0]!.currency)}
      />
    </Card>
  ))
}

interface Drawing {
  readonly step: string
  readonly times: readonly string[]
  readonly question: ReportQuestion
}

function linesOf(rows: readonly Row[], { step, times, question }: Drawing): Series[] {
  const { picture } = question
  const groups = Map.groupBy(rows, (row) => lineOf(row, question))
  const currencies = new Set(rows.map(({ currency }) => currency))
  return [...groups.values()].flatMap((group) => {
    const at = new Map(group.map((row) => [String(row[step]), row]))
    const [first] = group
    const label = [
      labelOf(METRICS, picture),
      ...(question.hasAllChannels ? [nameIn(first!, 'channel')] : []),
      ...(currencies.size > 1 ? [first!.currency] : []),
    ].join(' · ')
    const now = times.map((time) => Number(at.get(time)?.[picture] ?? 0))
    const before = times.map((time) => Number(at.get(time)?.previous?.[picture] ?? 0))
    return [
      { label, look: 'area' as const, values: now },
      ...(question.isCompared
        ? [{ label: `${label}, previous period`, isReference: true, values: before }]
        : []),
    ]
  })
}

const lineOf = (row: Row, { hasAllChannels }: ReportQuestion) =>
  `${hasAllChannels ? row['channel'] : ''} ${row.currency}`

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
