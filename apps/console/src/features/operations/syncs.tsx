import { Cable, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay, useZone } from '../../api/me.ts'
import type { Advertiser, Alert, Connection } from '../../api/types.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayClock, sayWord } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { useNow } from '../../ui/format/now.ts'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { connectionState } from './states.ts'

/** Connections to other channels, and the state of their syncs. */
export function Syncs() {
  const canSync = useMay()('channels:write')
  const connections = useList<Connection>('/admin/connections', { everySeconds: 30 })
  const alerts = useList<Alert>('/ads-manager/alerts', {
    query: { kind: 'sync-failing' },
    everySeconds: 30,
  })
  const [advertiserId, setAdvertiserId] = useState('')
  const advertisers = useList<Advertiser>('/admin/advertisers', { query: { limit: 100 } })
  const sync = useChange(
    () =>
      api.post<{ enqueued: number }>('/ads-manager/sync', {
        ...(advertiserId && { advertiserId }),
      }),
    { touches: ['/admin/connections', '/ads-manager'] },
  )
  return (
    <>
      <Card
        title="Connections"
        isFlush
        actions={
          canSync && (
            <>
              <FilterSelect
                label="Advertiser to sync"
                value={advertiserId}
                onValue={setAdvertiserId}
                options={[
                  { value: '', label: 'All advertisers' },
                  ...advertisers.rows.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
              <Button
                icon={RefreshCw}
                isBusy={sync.isPending}
                onClick={() =>
                  sync.mutate(undefined, {
                    onSuccess: ({ enqueued }) => notify(`${enqueued} syncs are queued.`),
                    onError: notifyProblem,
                  })
                }
              >
                Sync now
              </Button>
            </>
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
    width: '11rem',
    cell: (connection) => <ConnectionState of={connection} />,
  },
  {
    name: 'levels',
    label: 'Levels',
    from: 'md',
    cell: ({ levels }) => <Levels levels={levels} />,
  },
]

export function ConnectionState({ of }: { readonly of: Connection }) {
  const zone = useZone()
  const nowMs = useNow(30)
  const { text, tone } = connectionState(of, { nowMs, sayTime: (at) => sayClock(at, zone) })
  return <Badge tone={tone}>{text}</Badge>
}

const LEVEL_NAMES = { CAMPAIGN: 'Campaigns', ADSET: 'Ad sets', AD: 'Ads' } as const

/** A failing level is listed with its reason, whatever the state of the others. */
function Levels({ levels }: Pick<Connection, 'levels'>) {
  const shown = (['CAMPAIGN', 'ADSET', 'AD'] as const).filter((level) => levels[level])
  if (shown.length === 0) return <span className="text-ink-faint">Not synced yet</span>
  return (
    <ul>
      {shown.map((level) => {
        const { failure, failingSince, syncedAt } = levels[level]!
        return (
          <li key={level} className="truncate" title={failure ?? ''}>
            {LEVEL_NAMES[level]}:{' '}
            {failingSince ? (
              <span className="text-bad">{failure}</span>
            ) : (
              <span className="text-ink-faint">
                <When at={syncedAt} />
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
