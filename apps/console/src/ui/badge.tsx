import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { sayWord } from './format/format.ts'

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info'

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-soft text-accent-ink',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
}

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}

/** One tone per status, for all things. */
const STATUS_TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  approved: 'good',
  succeeded: 'good',
  applied: 'good',
  running: 'info',
  scheduled: 'info',
  evergreen: 'info',
  pending: 'warn',
  paused: 'warn',
  waiting: 'warn',
  unproven: 'warn',
  rejected: 'bad',
  failed: 'bad',
  blocked: 'bad',
}

export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge tone={STATUS_TONES[status] ?? 'neutral'}>
      <span className="size-1.5 rounded-full bg-current" aria-hidden />
      {sayWord(status)}
    </Badge>
  )
}

const MARKS: Readonly<Record<Tone, string>> = {
  neutral: 'bg-ink-faint',
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
}

/** The colour of a status as a dot, beside words. */
export const StatusMark = ({ status }: { readonly status: string }) => (
  <span
    className={cx(
      'inline-block size-2 rounded-full align-middle',
      MARKS[STATUS_TONES[status] ?? 'neutral'],
    )}
    aria-hidden
  />
)
