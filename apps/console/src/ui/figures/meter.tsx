import { cx } from '../cx.ts'

interface MeterProps {
  readonly label: string
  /** The used share, 0 to 1. A higher one shows a full bar. */
  readonly share: number
  /** The planned share. */
  readonly planned?: number | undefined
  readonly tone?: 'accent' | 'good' | 'warn' | 'bad'
}

const FILLS = { accent: 'bg-accent', good: 'bg-good', warn: 'bg-series-4', bad: 'bg-bad' }

const percent = (share: number) => `${Math.min(100, Math.max(0, share * 100))}%`

/** A progress bar, with a mark at the plan. */
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
