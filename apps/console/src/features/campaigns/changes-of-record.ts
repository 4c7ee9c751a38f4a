import type { AuditRecord } from '../../api/types.ts'
import { fieldValue } from '../../ui/format/words.ts'

export interface FieldChange {
  readonly field: string
  readonly from: string
  readonly to: string
}

/** Fields that change with every change. */
const TECHNICAL = new Set(['version', 'updatedAt', 'createdAt', 'id'])
const FIELDS_MAX = 8

/** The fields that an audit record changed. A new row has no previous values. */
export function changesOf({ before, after }: Pick<AuditRecord, 'before' | 'after'>): FieldChange[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return Object.keys(after)
    .filter((field) => !TECHNICAL.has(field))
    .map((field) => ({
      field,
      from: fieldValue(field, before[field]),
      to: fieldValue(field, after[field]),
    }))
    .filter(({ from, to }) => from !== to)
    .slice(0, FIELDS_MAX)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
