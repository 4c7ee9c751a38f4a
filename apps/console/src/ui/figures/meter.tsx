import { cx } from '../cx.ts'

interface MeterProps {
  readonly label: string
  /** Share of the whole that is gone, 0 to 1; more than 1 shows full. */
  readonly share: number
  /** Where the plan would be. */
  readonly planned?: number | undefined
  readonly tone?: 'accent' | 'good' | 'warn' | 'bad'
}

const FILLS = { accent: 'bg-accent', good: 'bg-good', warn: 'bg-series-4', bad: 'bg-bad' }

const percent = (share: number) => `${Math.min(100, Math.max(0, share * 100))}%`

/** How far something has come, with a mark where it should be. */
export function Meter({ label, share, planned, tone = 'accent' }: MeterProps) {
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="relative h-2 w-full rounded-full bg-sunken"
    >
      <div className={cx('h-full rounded-full', FILLS[tone])} style={{ width: percent(share) }} />
      {planned !== undefined && (
        <span
          className="absolute -top-1 h-4 w-0.5 -translate-x-1/2 rounded-full bg-ink ring-2 ring-surface"
          style={{ left: percent(planned) }}
          aria-hidden
        />
      )}
    </div>
  )
}
