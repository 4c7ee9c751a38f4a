import type { SetAsideRow, SetAsideRows } from '@placard/contract/operations'
import { CircleCheck } from 'lucide-react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'

type Row = Static<typeof SetAsideRow>

/** Rows set aside, with the reason. */
export function SetAside() {
  const rows = useRead<Static<typeof SetAsideRows>>('/admin/operations/set-aside-rows', {
    everySeconds: 15,
  })
  return (
    <Card
      title="Set aside"
      hint="These entries have values that Placard cannot use. They are left out until they are corrected; everything else goes on."
      isFlush
    >
      <DataTable
        label="Set aside"
        columns={COLUMNS}
        rows={rows.data?.items ?? []}
        isLoading={rows.isPending}
        error={rows.error}
        retry={() => void rows.refetch()}
        keyOf={({ reader, entity, id, since }) => `${reader} ${entity} ${id} ${since}`}
        empty={
          <EmptyState
            icon={CircleCheck}
            title="Nothing is set aside"
            text="An entry that Placard cannot use appears here with the reason."
          />
        }
      />
    </Card>
  )
}

const COLUMNS: Column<Row>[] = [
  {
    name: 'entity',
    label: 'Entry',
    cell: ({ entity, id }) => (
      <span title={id ?? undefined} className="block truncate">
        <span className="font-medium">{entity.replaceAll('_', ' ')}</span> {id ?? ''}
      </span>
    ),
  },
  { name: 'reason', label: 'Reason', cell: ({ reason }) => reason },
  {
    name: 'reader',
    label: 'Left out of',
    width: '12rem',
    from: 'md',
    cell: ({ reader }) => reader,
  },
  {
    name: 'since',
    label: 'Since',
    width: '8rem',
    from: 'sm',
    sortBy: ({ since }) => since,
    cell: ({ since }) => <When at={since} />,
  },
]
