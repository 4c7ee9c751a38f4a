import { usePostRead } from '../../api/hooks.ts'
import type { Report } from '../../api/types.ts'
import { Card } from '../../ui/layout/card.tsx'
import { dayBefore, sayCount, saySharePercent } from '../../ui/format/format.ts'
import { Meter } from '../../ui/figures/meter.tsx'

const STEPS = [
  { metric: 'videoStarts', label: 'Started' },
  { metric: 'firstQuartiles', label: 'First quartile' },
  { metric: 'midpoints', label: 'Midpoint' },
  { metric: 'thirdQuartiles', label: 'Third quartile' },
  { metric: 'videoCompletes', label: 'Completed' },
] as const

interface FilmCardProps {
  readonly filters: Readonly<Record<string, readonly string[]>>
  readonly zone: string
  readonly today: string
}

const EVERY_SECONDS = 30

/** How far films were watched in a week. Nothing if none was started. */
export function FilmCard({ filters, zone, today }: FilmCardProps) {
  const report = usePostRead<Report>(
    '/reports/query',
    {
      dimensions: [],
      metrics: [...STEPS.map(({ metric }) => metric), 'completionRate'],
      from: dayBefore(today, 6),
      to: today,
      timeZone: zone,
      filters,
    },
    { everySeconds: EVERY_SECONDS },
  )
  const counts = countsIn(report.data)
  const starts = counts[0]?.count ?? 0
  if (starts === 0) return null
  return (
    <Card title="Video, 7 days" hint="How far valid viewers watched">
      <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-2 text-sm">
        {counts.map(({ label, count }) => (
          <div key={label} className="contents">
            <dt>{label}</dt>
            <dd>
              <Meter label={label} share={count / starts} />
            </dd>
            <dd className="text-right figures">
              {sayCount(count)}{' '}
              <span className="text-ink-faint">{saySharePercent(count / starts, 0)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const figureIn = (row: Report['totals'][number], metric: string): number =>
  Number(Object.entries(row).find(([name]) => name === metric)?.[1] ?? 0)

/** Summed over all currencies, because steps are no money. */
const countsIn = (report: Report | undefined) =>
  STEPS.map(({ metric, label }) => ({
    label,
    count: (report?.totals ?? []).reduce((sum, row) => sum + figureIn(row, metric), 0),
  }))
