import type { Node, NodeList } from '@placard/contract/operations'
import { Server } from 'lucide-react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { When } from '../../ui/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayCount } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states.tsx'

type Row = Static<typeof Node>

const ROLES: Readonly<Record<Row['role'], string>> = {
  all: 'Answers, with a worker beside it',
  api: 'Answers',
  worker: 'Background work',
}

/** Which processes run, wherever they are. */
export function Nodes() {
  const nodes = useRead<Static<typeof NodeList>>('/admin/nodes', { everySeconds: 5 })
  return (
    <Card
      title="Nodes"
      hint="Processes that share this database. One that was killed stays here for an hour."
      isFlush
    >
      <DataTable
        label="Nodes"
        columns={COLUMNS}
        rows={nodes.data?.items ?? []}
        isLoading={nodes.isPending}
        error={nodes.error}
        retry={() => void nodes.refetch()}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon={Server}
            title="No node has been heard of yet"
            text="A node says that it lives within ten seconds of its start."
          />
        }
      />
    </Card>
  )
}

const COLUMNS: Column<Row>[] = [
  {
    name: 'role',
    label: 'Node',
    cell: ({ id, role, isAnswering }) => (
      <span title={id} className="flex items-center gap-2">
        <span className="truncate font-medium">{ROLES[role]}</span>
        {isAnswering && <Badge tone="accent">You are here</Badge>}
      </span>
    ),
  },
  {
    name: 'state',
    label: 'State',
    width: '9.5rem',
    cell: ({ state, lastSeenAt }) =>
      state === 'alive' ? (
        <Badge tone="good">Alive</Badge>
      ) : (
        <Badge tone="bad">
          Silent since <When at={lastSeenAt} />
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
    label: 'Ads in its index',
    width: '8rem',
    from: 'md',
    isNumber: true,
    cell: ({ index }) =>
      index ? <span title={`Version ${index.version}`}>{sayCount(index.ads)}</span> : '—',
  },
  {
    name: 'lag',
    label: 'Behind changes',
    width: '8rem',
    from: 'lg',
    isNumber: true,
    cell: ({ index }) =>
      index ? (
        <span title={`Agreed with the database ${Math.round(index.ageSeconds)} s before`}>
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
