import type { DeadLetterList } from '@placard/contract/operations'
import { MailWarning, RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'

type Letter = Static<typeof DeadLetterList>['items'][number]

const LETTERS = '/admin/operations/dead-letters'
const OBSERVATIONS = '/internal/observations/dead-letters'

/** Jobs that failed for good. They can be queued again once the cause is gone. */
export function DeadLetters() {
  const canRequeue = useMay()('operations:write')
  const list = useList<Letter>(LETTERS, { everySeconds: 15 })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const requeue = useChange((ids: readonly string[]) => api.post(`${LETTERS}/requeue`, { ids }), {
    touches: ['/admin/operations'],
  })
  const run = () =>
    requeue.mutate([...chosen], {
      onError: notifyProblem,
      onSuccess: () => {
        notify(`${chosen.size} jobs are queued again.`)
        setChosen(new Set())
      },
    })
  return (
    <>
      <Card
        title="Failed jobs"
        isFlush
        actions={
          canRequeue && (
            <Button
              icon={RotateCw}
              disabled={chosen.size === 0}
              isBusy={requeue.isPending}
              onClick={run}
            >
              Retry{chosen.size > 0 ? ` ${chosen.size}` : ''}
            </Button>
          )
        }
      >
        <DataTable
          label="Failed jobs"
          columns={COLUMNS}
          {...list}
          keyOf={({ id }) => id}
          nameOf={({ job }) => job}
          {...(canRequeue && { selection: { keys: chosen, onSelect: setChosen } })}
          empty={
            <EmptyState
              icon={MailWarning}
              title="No failed jobs"
              text="Jobs that fail after all retries appear here."
            />
          }
        />
      </Card>
      <DeadObservations canRequeue={canRequeue} />
    </>
  )
}

const COLUMNS: Column<Letter>[] = [
  { name: 'job', label: 'Job', cell: ({ job }) => job },
  {
    name: 'reason',
    label: 'Error',
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
  },
  {
    name: 'retries',
    label: 'Retries',
    width: '7rem',
    isNumber: true,
    from: 'md',
    cell: ({ retries }) => retries,
  },
  {
    name: 'failed',
    label: 'Failed',
    width: '8rem',
    from: 'sm',
    cell: ({ failedAt }) => <When at={failedAt} />,
  },
]

interface Observations {
  readonly items: readonly { readonly id: string }[]
}

/** Observations of edges have their own queue. */
function DeadObservations({ canRequeue }: { readonly canRequeue: boolean }) {
  const dead = useRead<Observations>(OBSERVATIONS, { everySeconds: 30 })
  const requeue = useChange(() => api.post<{ requeued: number }>(`${OBSERVATIONS}/requeue`), {
    touches: [OBSERVATIONS],
  })
  const count = dead.data?.items.length ?? 0
  if (count === 0) return null
  return (
    <Card
      title="Failed location reports"
      actions={
        canRequeue && (
          <Button
            icon={RotateCw}
            isBusy={requeue.isPending}
            onClick={() => requeue.mutate(undefined, { onError: notifyProblem })}
          >
            Retry all
          </Button>
        )
      }
    >
      <p>{count} failed and can be retried. Their IP addresses are erased after a day.</p>
    </Card>
  )
}
