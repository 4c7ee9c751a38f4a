import type * as contract from '@placard/contract/webhooks'
import { RotateCw } from 'lucide-react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notifyProblem } from '../../ui/overlays/toast.tsx'
import { Things } from '../../things/things.tsx'
import { webhookThing } from './webhook-thing.tsx'

type Delivery = Static<typeof contract.WebhookDelivery>

const DELIVERIES = '/admin/webhook-deliveries'
/** Webhook endpoints and their deliveries. */
export const Webhooks = () => (
  <>
    <Things of={webhookThing} />
    <Deliveries />
  </>
)

const TONES = { delivered: 'good', pending: 'warn', dead: 'bad' } as const

function Deliveries() {
  const deliveries = useList<Delivery>(DELIVERIES, { everySeconds: 10 })
  const replay = useChange((id: string) => api.post(`${DELIVERIES}/${id}/replay`), {
    touches: [DELIVERIES],
  })
  const columns: Column<Delivery>[] = [
    { name: 'event', label: 'Event', cell: ({ eventType }) => eventType },
    {
      name: 'status',
      label: 'Status',
      width: '7rem',
      cell: ({ status }) => <Badge tone={TONES[status]}>{sayWord(status)}</Badge>,
    },
    {
      name: 'answer',
      label: 'Last response',
      from: 'md',
      cell: ({ lastStatus, lastError }) => lastError ?? lastStatus ?? '—',
    },
    {
      name: 'when',
      label: 'Time',
      width: '8rem',
      from: 'sm',
      cell: ({ occurredAt }) => <When at={occurredAt} />,
    },
    {
      name: 'replay',
      label: '',
      width: '3.5rem',
      cell: ({ id, status }) =>
        status === 'dead' && (
          <IconButton
            label="Send again"
            icon={RotateCw}
            onClick={() => replay.mutate(id, { onError: notifyProblem })}
          />
        ),
    },
  ]
  return (
    <Card title="Deliveries" isFlush>
      <DataTable
        label="Deliveries"
        columns={columns}
        {...deliveries}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No deliveries yet" />}
      />
    </Card>
  )
}
