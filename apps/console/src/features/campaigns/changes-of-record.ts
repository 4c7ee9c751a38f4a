import type { AuditRecord } from '../../api/types.ts'

export interface FieldChange {
  readonly field: string
  readonly from: string
  readonly to: string
}

/** They change with every change and say nothing. */
const SILENT = new Set(['version', 'updatedAt', 'createdAt', 'id'])
const FIELDS_MAX = 8

/** What a record of the audit log changed, field by field; a new row has no before. */
export function changesOf({ before, after }: Pick<AuditRecord, 'before' | 'after'>): FieldChange[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return Object.keys(after)
    .filter((field) => !SILENT.has(field))
    .map((field) => ({ field, from: say(field, before[field]), to: say(field, after[field]) }))
    .filter(({ from, to }) => from !== to)
    .slice(0, FIELDS_MAX)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function say(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (field.endsWith('Micros')) return String(Number(value) / 1_000_000)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
