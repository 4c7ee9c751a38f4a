import { Cable, RefreshCw } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Alert, Connection } from '../../api/types.ts'
import { When } from '../../ui/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayWord } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states.tsx'
import { tell, tellProblem } from '../../ui/toast.tsx'

/** Accounts on other channels, and whether their figures arrive. */
export function Syncs() {
  const canSync = useMay()('channels:write')
  const connections = useList<Connection>('/admin/connections', { everySeconds: 30 })
  const alerts = useList<Alert>('/ads-manager/alerts', {
    query: { kind: 'sync-failing' },
    everySeconds: 30,
  })
  const sync = useChange(() => api.post<{ enqueued: number }>('/ads-manager/sync', {}), {
    touches: ['/admin/connections', '/ads-manager'],
  })
  return (
    <>
      <Card
        title="Connections"
        isFlush
        actions={
          canSync && (
            <Button
              icon={RefreshCw}
              isBusy={sync.isPending}
              onClick={() =>
                sync.mutate(undefined, {
                  onSuccess: ({ enqueued }) => tell(`${enqueued} syncs are queued.`),
                  onError: tellProblem,
                })
              }
            >
              Sync now
            </Button>
          )
        }
      >
        <DataTable
          label="Connections"
          columns={COLUMNS}
          {...connections}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={Cable}
              title="No connections yet"
              text="A connection imports the figures of an advertiser’s account on another channel."
            />
          }
        />
      </Card>
      {alerts.rows.length > 0 && (
        <Card title="Errors" isFlush>
          <ul>
            {alerts.rows.map(({ id, reason, openedAt, closedAt }) => (
              <li key={id} className="flex flex-wrap gap-3 px-4 py-2.5 not-last:border-b">
                <Badge tone={closedAt ? 'neutral' : 'bad'}>{closedAt ? 'Resolved' : 'Open'}</Badge>
                <span className="min-w-0 flex-1">{reason}</span>
                <span className="text-xs text-ink-faint">
                  <When at={openedAt} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const COLUMNS: Column<Connection>[] = [
  { name: 'name', label: 'Connection', cell: ({ name }) => name },
  {
    name: 'provider',
    label: 'Provider',
    width: '8rem',
    from: 'sm',
    cell: ({ provider }) => sayWord(provider),
  },
  {
    name: 'state',
    label: 'Status',
    width: '9rem',
    cell: ({ isActive, failingSince }) =>
      failingSince ? (
        <Badge tone="bad">Failing</Badge>
      ) : (
        <Badge tone={isActive ? 'good' : 'neutral'}>{isActive ? 'Working' : 'Inactive'}</Badge>
      ),
  },
  {
    name: 'failure',
    label: 'Last error',
    from: 'md',
    cell: ({ failure }) => <span title={failure ?? ''}>{failure ?? '—'}</span>,
  },
]
