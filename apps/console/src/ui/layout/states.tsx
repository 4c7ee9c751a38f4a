import { CircleAlert, Inbox, RotateCw, SearchX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { isMissing, sayProblem } from '../../api/problem.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'

interface StateProps {
  readonly icon?: LucideIcon
  readonly title: string
  readonly text?: ReactNode
  readonly action?: ReactNode
}

/** Shown instead of an empty list: the reason, and what to do. */
export function EmptyState({ icon: Icon = Inbox, title, text, action }: StateProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-10 text-center">
      <span className="mb-2 grid size-9 place-items-center rounded-full bg-sunken text-ink-faint">
        <Icon className="size-4.5" aria-hidden />
      </span>
      <p className="font-medium">{title}</p>
      {text && <div className="max-w-sm text-ink-faint text-pretty">{text}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}

/** Shown instead of data after an error: the reason, and what to do. */
export function ProblemState({
  error,
  retry,
}: {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}) {
  if (isMissing(error)) {
    return (
      <EmptyState
        icon={SearchX}
        title="Not found"
        text="It was deleted, the address is wrong, or it belongs to another account."
      />
    )
  }
  const { title, detail } = sayProblem(error)
  return (
    <div role="alert">
      <EmptyState
        icon={CircleAlert}
        title={title}
        text={detail}
        action={
          retry && (
            <Button icon={RotateCw} onClick={retry}>
              Try again
            </Button>
          )
        }
      />
    </div>
  )
}

/** An error as one line, in a form or beside a button. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  if (!error) return null
  const { title, detail } = sayProblem(error)
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <p>
        <span className="font-medium">{title}.</span> {detail}
      </p>
    </div>
  )
}

/** A placeholder while data loads. */
export function Waiting({
  lines = 3,
  className,
}: {
  readonly lines?: number
  readonly className?: string
}) {
  return (
    <div role="status" aria-label="Loading" className={cx('flex flex-col gap-2.5 p-4', className)}>
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          className="h-4 animate-pulse rounded-sm bg-sunken"
          style={{ width: `${90 - ((line * 23) % 45)}%` }}
        />
      ))}
    </div>
  )
}

interface Answered<Data> {
  readonly data: Data | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/** Shows a placeholder, the error or the data of a read. */
export function Answer<Data>({
  of,
  lines,
  children,
}: {
  readonly of: Answered<Data>
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ProblemState error={of.error} retry={() => void of.refetch()} />
  return <Waiting {...(lines !== undefined && { lines })} />
}
