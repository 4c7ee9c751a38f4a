import { sayInstant, sayMoney, sayWord } from '../../../ui/format/format.ts'
import { fieldLabel, fieldValue } from '../../../ui/format/words.ts'
import type { ChangeSetRow } from '../../../api/types.ts'

interface Said {
  readonly currency: string | null
  readonly zone: string
}

/** "Daily budget €10.00 → €11.00" */
export function sayChange(
  { field, from, to }: ChangeSetRow['changes'][number],
  said: Said,
): string {
  if (field === 'deletedAt') return to === null ? 'Restored' : 'Archived'
  return `${fieldLabel(field)} ${sayValue(field, from, said)} → ${sayValue(field, to, said)}`
}

function sayValue(field: string, value: unknown, { currency, zone }: Said): string {
  if (typeof value !== 'string') return fieldValue(field, value)
  if (field.endsWith('Micros') && currency) return sayMoney(value, currency)
  if (field.endsWith('At')) return sayInstant(value, zone)
  return field === 'status' ? sayWord(value) : fieldValue(field, value)
}
