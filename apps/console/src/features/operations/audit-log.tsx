import { ScrollText } from 'lucide-react'
import { useList } from '../../api/hooks.ts'
import type { AuditRecord } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/layout/states.tsx'

/** All changes that the reader may see. */
export function AuditLog() {
  const list = useList<AuditRecord>('/admin/audit-log', { everySeconds: 15 })
  return (
    <Card title="Audit log" isFlush className="overflow-hidden md:overflow-visible">
      <DataTable
        label="Audit log"
        columns={COLUMNS}
        {...list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon={ScrollText} title="No changes yet" />}
      />
    </Card>
  )
}

const COLUMNS: Column<AuditRecord>[] = [
  { name: 'who', label: 'User', width: '13rem', cell: ({ actorName }) => actorName },
  {
    name: 'what',
    label: 'Action',
    cell: ({ action }) => sayWord(action.replace('.', ': ')),
  },
  {
    name: 'thing',
    label: 'Object',
    width: '10rem',
    from: 'md',
    cell: ({ entity, entityId }) => (
      <span title={entityId}>
        {entity} <span className="font-mono text-xs text-ink-faint">{entityId.slice(-8)}</span>
      </span>
    ),
  },
  {
    name: 'when',
    label: 'Time',
    width: '11rem',
    from: 'sm',
    cell: ({ occurredAt }) => <When at={occurredAt} isExact />,
  },
]
