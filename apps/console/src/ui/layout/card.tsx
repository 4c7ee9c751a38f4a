import { useId, type ReactNode } from 'react'
import { cx } from '../cx.ts'

interface CardProps {
  readonly title?: ReactNode
  readonly hint?: ReactNode
  readonly actions?: ReactNode
  /** Without padding, for tables and charts. */
  readonly isFlush?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A titled part of a page. */
export function Card({ title, hint, actions, isFlush, className, children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={cx('min-w-0 rounded-lg border bg-surface shadow-card', className)}
    >
      {(title || actions) && (
        <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2">
          <div className="min-w-0 flex-1">
            {title && (
              <h2 id={id} className="font-semibold">
                {title}
              </h2>
            )}
            {hint && <p className="text-xs text-ink-faint">{hint}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={isFlush ? undefined : 'p-4'}>{children}</div>
    </section>
  )
}
