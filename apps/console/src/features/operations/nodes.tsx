import type { Node, NodeList } from '@placard/contract/operations'
import { Server } from 'lucide-react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayCount } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/layout/states.tsx'

type Row = Static<typeof Node>

const ROLES: Readonly<Record<Row['role'], string>> = {
  all: 'Web and background jobs',
  api: 'Web',
  worker: 'Background jobs',
}

/** All running processes. */
export function Nodes() {
  const nodes = useRead<Static<typeof NodeList>>('/admin/nodes', { everySeconds: 5 })
  return (
    <Card
      title="Servers"
      hint="Processes that share this database. A process that crashed stays listed for an hour."
      isFlush
    >
      <DataTable
        label="Servers"
        columns={COLUMNS}
        rows={nodes.data?.items ?? []}
        isLoading={nodes.isPending}
        error={nodes.error}
        retry={() => void nodes.refetch()}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon={Server}
            title="No servers yet"
            text="A server appears within ten seconds of its start."
          />
        }
      />
    </Card>
  )
}

const COLUMNS: Column<Row>[] = [
  {
    name: 'role',
    label: 'Server',
    cell: ({ id, role, isAnswering }) => (
      <span title={id} className="flex items-center gap-2">
        <span className="truncate font-medium">{ROLES[role]}</span>
        {isAnswering && <Badge tone="accent">This server</Badge>}
      </span>
    ),
  },
  {
    name: 'state',
    label: 'Status',
    width: '9.5rem',
    cell: ({ state, lastSeenAt }) =>
      state === 'alive' ? (
        <Badge tone="good">Running</Badge>
      ) : (
        <Badge tone="bad">
          Last seen <When at={lastSeenAt} />
        </Badge>
      ),
  },
  {
    name: 'version',
    label: 'Version',
    width: '5.5rem',
    from: 'md',
    cell: ({ version }) => version,
  },
  {
    name: 'started',
    label: 'Started',
    width: '8rem',
    from: 'sm',
    sortBy: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <When at={startedAt} />,
  },
  {
    name: 'ads',
    label: 'Ads loaded',
    width: '8rem',
    from: 'md',
    isNumber: true,
    cell: ({ index }) =>
      index ? <span title={`Version ${index.version}`}>{sayCount(index.ads)}</span> : '—',
  },
  {
    name: 'lag',
    label: 'Update delay',
    width: '8rem',
    from: 'lg',
    isNumber: true,
    cell: ({ index }) =>
      index ? (
        <span title={`Last compared with the database ${Math.round(index.ageSeconds)} s ago`}>
          {sayCount(Math.round(index.lagSeconds * 1_000))} ms
        </span>
      ) : (
        '—'
      ),
  },
  {
    name: 'memory',
    label: 'Memory',
    width: '6.5rem',
    from: 'lg',
    isNumber: true,
    cell: ({ memoryBytes }) => `${sayCount(Math.round(memoryBytes / BYTES_PER_MB))} MB`,
  },
]

const BYTES_PER_MB = 1_048_576
