import { readInstant, readMoney } from '../../../ui/format/format.ts'
import type { CreateChangeSet } from '../../../api/types.ts'

/** The edits that need more than a click, from typed text. Pure; the server has the last word. */
export type Edit = CreateChangeSet['edit']

export const AMOUNTS = [
  { value: 'budgetDaily', label: 'Daily budget' },
  { value: 'budgetTotal', label: 'Total budget' },
  { value: 'maxBid', label: 'Maximum bid' },
  { value: 'bids', label: 'Bids of the ads' },
] as const
export type AmountName = (typeof AMOUNTS)[number]['value']

export const AMOUNT_WAYS = [
  { value: 'raise', label: 'Raise by percent' },
  { value: 'lower', label: 'Lower by percent' },
  { value: 'set', label: 'Set to an amount' },
  { value: 'remove', label: 'Take away' },
] as const
export type AmountWay = (typeof AMOUNT_WAYS)[number]['value']

export interface TypedAmount {
  readonly name: AmountName
  readonly way: AmountWay
  readonly text: string
  readonly currency: string
}

/** The edit, or undefined while the text is no amount. */
export function amountEdit({ name, way, text, currency }: TypedAmount): Edit | undefined {
  if (way === 'remove') return { [name]: { setMicros: null } }
  if (way === 'set') {
    const setMicros = readMoney(text)
    return setMicros === undefined ? undefined : { [name]: { setMicros, currency } }
  }
  const percent = readPercent(text)
  if (percent === undefined) return undefined
  return { [name]: { percent: way === 'raise' ? percent : -percent } }
}

function readPercent(text: string): number | undefined {
  const percent = Number(text.replace(',', '.').replace('%', '').trim() || 'none')
  return Number.isFinite(percent) && percent > 0 && percent <= 1_000 ? percent : undefined
}

export const DATE_WAYS = [
  { value: 'start', label: 'Set the start' },
  { value: 'end', label: 'Set the end' },
  { value: 'open-end', label: 'Take the end away' },
  { value: 'shift', label: 'Move start and end by days' },
] as const
export type DateWay = (typeof DATE_WAYS)[number]['value']

export interface TypedDate {
  readonly way: DateWay
  readonly at: string
  readonly days: string
  readonly zone: string
}

export function dateEdit({ way, at, days, zone }: TypedDate): Edit | undefined {
  if (way === 'open-end') return { endsAt: null }
  if (way === 'shift') {
    const shiftDays = Number(days.trim() || 'none')
    return Number.isInteger(shiftDays) && shiftDays !== 0 ? { shiftDays } : undefined
  }
  const instant = readInstant(at, zone)
  if (instant === null) return undefined
  return way === 'start' ? { startsAt: instant } : { endsAt: instant }
}

/** Labels typed with commas between them. */
export function labelsEdit(way: 'add' | 'remove', text: string): Edit | undefined {
  const typed = text.split(',').map((label) => label.trim())
  const labels = [...new Set(typed.filter((label) => label !== ''))]
  if (labels.length === 0) return undefined
  return way === 'add' ? { addLabels: labels } : { removeLabels: labels }
}
