import { Money } from '../../ui/amounts.tsx'
import { sayCount, sayPercent, sayShortCount } from '../../ui/format.ts'

/** A metric of a row as people read it. */
export function Figure({
  metric,
  value,
  currency,
}: {
  readonly metric: string
  readonly value: number | string | null | undefined
  readonly currency: string
}) {
  if (value === null || value === undefined) return <span className="text-ink-faint">—</span>
  if (metric.endsWith('Micros')) return <Money micros={String(value)} currency={currency} />
  return <span className="figures">{sayFigure(metric, Number(value))}</span>
}

/** The same for an axis, where there is no room. */
export function sayFigure(metric: string, value: number): string {
  if (metric === 'ctr') return sayPercent(value)
  if (metric === 'roas') return `${value.toFixed(2)}×`
  return value < 10_000 ? sayCount(value) : sayShortCount(value)
}
