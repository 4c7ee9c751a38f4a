/** A schedule's recurrence in the form. A rule the form cannot show stays unchanged. */
export interface Repeat {
  readonly kind: 'always' | 'daily' | 'weekly' | 'other'
  /** Every n-th day or week, counted from the first day. */
  readonly every: string
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

const DRAWN = /^FREQ=(DAILY|WEEKLY)(?:;INTERVAL=(\d+))?(?:;BYDAY=([A-Z,]+))?$/

export function repeatOf(rule: string | null): Repeat {
  const none = { every: '1', days: [], rule: rule ?? '' }
  if (rule === null) return { ...none, kind: 'always' }
  const [, frequency, every = '1', days] = DRAWN.exec(rule) ?? []
  if (frequency === 'WEEKLY' && days) return { kind: 'weekly', every, days: days.split(','), rule }
  if (frequency !== 'DAILY' || days) return { ...none, kind: 'other' }
  return { ...none, kind: every === '1' ? 'always' : 'daily', every }
}

export function ruleOf({ kind, every, days, rule }: Repeat): string | null {
  if (kind === 'other') return rule
  if (kind === 'always') return null
  const interval = every === '1' || every === '' ? '' : `;INTERVAL=${every}`
  return kind === 'daily' ? `FREQ=DAILY${interval}` : `FREQ=WEEKLY${interval}${byDay(days)}`
}

const byDay = (days: readonly string[]) => {
  const chosen = WEEKDAYS.filter(({ code }) => days.includes(code)).map(({ code }) => code)
  return chosen.length > 0 ? `;BYDAY=${chosen.join(',')}` : ''
}
