import type { Queue, QueueList, RunList } from '@placard/contract/operations'
import { Layers } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'
import { When } from '../../ui/format/amounts.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { sayCount } from '../../ui/format/format.ts'
import { Meter } from '../../ui/figures/meter.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'

type Queues = Static<typeof QueueList>
type Row = Static<typeof Queue>
type Run = Static<typeof RunList>['items'][number]

const QUEUES = '/admin/operations/queues'

/** Queues of background jobs. */
export function Queues() {
  const queues = useRead<Queues>(QUEUES, { everySeconds: 5 })
  return (
    <>
      <Card title="Queues" isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Queues"
          columns={COLUMNS}
          rows={queues.data?.items.toSorted((a, b) => a.queue.localeCompare(b.queue)) ?? []}
          isLoading={queues.isPending}
          error={queues.error}
          retry={() => void queues.refetch()}
          keyOf={({ queue }) => queue}
          empty={<EmptyState icon={Layers} title="No queues" />}
        />
      </Card>
      <Runs jobs={queues.data?.jobs.map(({ job }) => job) ?? []} />
    </>
  )
}

const number = (
  name: 'waiting' | 'delayed' | 'active' | 'failed',
  label: string,
  from?: 'sm' | 'md',
): Column<Row> => ({
  name,
  label,
  width: '6rem',
  isNumber: true,
  ...(from && { from }),
  sortBy: (row) => row[name],
  cell: (row) => (
    <span className={name === 'failed' && row.failed > 0 ? 'text-bad' : undefined}>
      {sayCount(row[name])}
    </span>
  ),
})

const COLUMNS: Column<Row>[] = [
  { name: 'queue', label: 'Queue', sortBy: ({ queue }) => queue, cell: ({ queue }) => queue },
  number('waiting', 'Waiting'),
  number('active', 'Running', 'sm'),
  number('delayed', 'Scheduled', 'sm'),
  number('failed', 'Failed'),
  {
    name: 'oldest',
    label: 'Oldest waiting',
    width: '7rem',
    isNumber: true,
    from: 'md',
    cell: ({ oldestSeconds }) => (oldestSeconds > 0 ? `${Math.round(oldestSeconds)} s` : '—'),
  },
]

/** The last runs of one job, with their progress. */
function Runs({ jobs }: { readonly jobs: readonly string[] }) {
  const [chosen, setChosen] = useState('')
  const job = chosen || jobs[0]
  const runs = useRead<{ readonly items: readonly Run[] }>(`/admin/operations/jobs/${job}/runs`, {
    when: job !== undefined,
    everySeconds: 5,
  })
  return (
    <Card
      title="Runs"
      isFlush
      actions={
        job && (
          <FilterSelect
            label="Job"
            value={job}
            onValue={setChosen}
            options={jobs.map((name) => ({ value: name, label: name }))}
          />
        )
      }
    >
      <DataTable
        label="Job runs"
        columns={RUN_COLUMNS}
        rows={runs.data?.items ?? []}
        isLoading={runs.isPending && job !== undefined}
        error={runs.error}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No recent runs" text="Old runs are deleted after a while." />}
      />
    </Card>
  )
}

const RUN_COLUMNS: Column<Run>[] = [
  { name: 'due', label: 'Waiting', cell: ({ dueAt }) => <When at={dueAt} isExact /> },
  {
    name: 'state',
    label: 'Status',
    width: '8rem',
    cell: ({ state }) => <StatusBadge status={state} />,
  },
  {
    name: 'key',
    label: 'Key',
    from: 'md',
    cell: ({ dedupeKey }) => dedupeKey && <span className="font-mono text-sm">{dedupeKey}</span>,
  },
  {
    name: 'progress',
    label: 'Progress',
    width: '10rem',
    from: 'sm',
    cell: ({ progress }) =>
      progress && <Meter label="Progress" share={progress.done / Math.max(1, progress.total)} />,
  },
  {
    name: 'retries',
    label: 'Retries',
    width: '7rem',
    isNumber: true,
    from: 'md',
    cell: ({ retries }) => retries,
  },
]
