import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { sayProblem } from '../../api/problem.ts'
import { IconButton } from '../button.tsx'
import { cx } from '../cx.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isBad: boolean
  readonly undo?: (() => void) | undefined
}

const SHOWN_MS = 7_000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const remove = (id: number) => set(toasts.filter((toast) => toast.id !== id))

function show(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId
  set([...toasts.slice(-2), { ...toast, id }])
  setTimeout(() => remove(id), SHOWN_MS)
}

/** Reports success in the corner of the page, with an optional undo. */
export const notify = (text: string, undo?: () => void) => show({ text, isBad: false, undo })

/** Reports an error. */
export function notifyProblem(error: unknown): void {
  const { title, detail } = sayProblem(error)
  show({ text: detail ? `${title}. ${detail}` : title, isBad: true })
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    () => toasts,
  )
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-end gap-2 sm:left-auto sm:w-96"
    >
      {shown.map(({ id, text, isBad, undo }) => (
        <div
          key={id}
          className="pointer-events-auto flex w-full items-start gap-2.5 rounded-lg bg-surface py-2 pr-2 pl-3 shadow-float appear"
        >
          {isBad ? (
            <CircleAlert className="mt-1.5 size-4 shrink-0 text-bad" aria-hidden />
          ) : (
            <CircleCheck className="mt-1.5 size-4 shrink-0 text-good" aria-hidden />
          )}
          <p className={cx('min-w-0 flex-1 py-1.5', isBad && 'text-bad')}>{text}</p>
          {undo && (
            <button
              type="button"
              className="h-8 rounded-md px-2 font-medium text-accent-ink hover:bg-hover"
              onClick={() => {
                remove(id)
                undo()
              }}
            >
              Undo
            </button>
          )}
          <IconButton label="Dismiss" icon={X} onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  )
}
