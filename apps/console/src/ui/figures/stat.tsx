import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { saySharePercent } from '../format/format.ts'

interface StatProps {
  readonly label: string
  readonly value: ReactNode
  /** Change as a fraction of the previous value. Undefined without one. */
  readonly change?: number | undefined
  /** Lower is better. */
  readonly isCost?: boolean
  readonly note?: ReactNode
}

/** One figure, with its change. */
export function Stat({ label, value, change, isCost = false, note }: StatProps) {
  return (
    <div className="-mr-px -mb-px min-w-0 border-r border-b px-4 py-3">
      <dt className="truncate text-xs font-medium text-ink-faint">{label}</dt>
      <dd className="mt-0.5 truncate text-xl font-semibold tracking-tight figures">{value}</dd>
      <dd className="flex min-h-5 flex-wrap items-baseline gap-x-1.5 text-xs text-ink-faint">
        {change !== undefined && <Change by={change} isCost={isCost} />}
        <span className="min-w-0">{note}</span>
      </dd>
    </div>
  )
}

function Change({ by, isCost }: { readonly by: number; readonly isCost: boolean }) {
  const isFlat = Math.abs(by) < 0.005
  const isGood = isCost ? by < 0 : by > 0
  return (
    <span className={cx('font-medium figures', isFlat ? '' : isGood ? 'text-good' : 'text-bad')}>
      {by > 0 ? '+' : ''}
      {saySharePercent(by, Math.abs(by) < 0.1 ? 1 : 0)}
    </span>
  )
}

/** Figures side by side. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-lg border bg-surface shadow-card sm:grid-cols-3 xl:grid-flow-col xl:auto-cols-fr xl:grid-cols-none">
      {children}
    </dl>
  )
}
