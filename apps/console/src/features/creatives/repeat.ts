/** How a schedule repeats, as the form offers it; a rule that it cannot draw is kept as it is. */
export interface Repeat {
  readonly kind: 'always' | 'weekly' | 'other'
  readonly days: readonly string[]
  readonly rule: string
}

export const WEEKDAYS = [
  { code: 'MO', label: 'Monday' },
  { code: 'TU', label: 'Tuesday' },
  { code: 'WE', label: 'Wednesday' },
  { code: 'TH', label: 'Thursday' },
  { code: 'FR', label: 'Friday' },
  { code: 'SA', label: 'Saturday' },
  { code: 'SU', label: 'Sunday' },
] as const

const WEEKLY = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/

export function repeatOf(rule: string | null): Repeat {
  if (rule === null) return { kind: 'always', days: [], rule: '' }
  const days = WEEKLY.exec(rule)?.[1]?.split(',')
  return days ? { kind: 'weekly', days, rule } : { kind: 'other', days: [], rule }
}

export function ruleOf({ kind, days, rule }: Repeat): string | null {
  if (kind === 'always') return null
  return kind === 'weekly' ? `FREQ=WEEKLY;BYDAY=${days.join(',')}` : rule
}
