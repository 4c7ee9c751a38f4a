import type { QuarantinedEvents } from '@placard/contract/tracking'
import { CircleCheck } from 'lucide-react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'

type Quarantined = Static<typeof QuarantinedEvents>['items'][number]

/** Acknowledged events that could not be counted, with their ad and campaign. */
export function Quarantine() {
  const events = useRead<Static<typeof QuarantinedEvents>>('/admin/tracking/quarantine', {
    everySeconds: 30,
  })
  return (
    <Card
      title="Events not counted"
      hint="The newest 100 impressions, views, clicks and conversions that the database rejected or that came too late."
      isFlush
    >
      <DataTable
        label="Events not counted"
        columns={COLUMNS}
        rows={events.data?.items ?? []}
        isLoading={events.isPending}
        error={events.error}
        retry={() => void events.refetch()}
        keyOf={({ eventId, reason }) => `${eventId} ${reason}`}
        empty={
          <EmptyState
            icon={CircleCheck}
            title="Every event was counted"
            text="An event that cannot be counted appears here with the reason."
          />
        }
      />
    </Card>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  poison: 'Rejected by the database',
  'too-old': 'Came too late',
}

const COLUMNS: Column<Quarantined>[] = [
  {
    name: 'ad',
    label: 'Ad',
    cell: ({ ad, banner, kind }) => (
      <span className="block truncate">
        <span className="font-medium">{(ad ?? banner)?.name ?? 'Unknown'}</span> {kind}
      </span>
    ),
  },
  { name: 'campaign', label: 'Campaign', cell: ({ campaign }) => campaign?.name ?? '–' },
  {
    name: 'reason',
    label: 'Reason',
    from: 'md',
    cell: ({ reason, detail }) => (
      <span title={detail} className="block truncate">
        {REASONS[reason] ?? reason}: {detail}
      </span>
    ),
  },
  {
    name: 'since',
    label: 'Since',
    width: '8rem',
    from: 'sm',
    sortBy: ({ quarantinedAt }) => quarantinedAt,
    cell: ({ quarantinedAt }) => <When at={quarantinedAt} />,
  },
]
