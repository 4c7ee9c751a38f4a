import type * as contract from '@placard/contract/webhooks'
import { Plus, RotateCw, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { CheckField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { sayWord } from '../../ui/format/format.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notifyProblem } from '../../ui/overlays/toast.tsx'
import { NewSecret } from './new-secret.tsx'
import { endpointState } from './states.ts'

type Endpoint = Static<typeof contract.WebhookEndpoint>
type Delivery = Static<typeof contract.WebhookDelivery>

const ENDPOINTS = '/admin/webhook-endpoints'
const DELIVERIES = '/admin/webhook-deliveries'
const EVENTS = [
  'campaign.state-changed.v1',
  'budget.exhausted.v1',
  'spend.updated.v1',
  'ad.served.v1',
  'ads.impression.tracked.v1',
  'ads.click.tracked.v1',
  'ads.conversion.tracked.v1',
  'geo.review-recommended.v1',
]

/** Webhook endpoints and their deliveries. */
export function Webhooks() {
  const [isAdding, setAdding] = useState(false)
  const endpoints = useList<Endpoint>(ENDPOINTS)
  return (
    <>
      <Card
        title="Endpoints"
        isFlush
        actions={
          <Button icon={Plus} onClick={() => setAdding(true)}>
            New endpoint
          </Button>
        }
      >
        <DataTable
          label="Webhook endpoints"
          columns={ENDPOINT_COLUMNS}
          {...endpoints}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={Webhook}
              title="No webhook endpoints yet"
              text="An endpoint receives every event it subscribes to, as a signed request."
            />
          }
        />
      </Card>
      <Deliveries />
      {isAdding && <AddEndpoint onClose={() => setAdding(false)} />}
    </>
  )
}

const ENDPOINT_COLUMNS: Column<Endpoint>[] = [
  { name: 'name', label: 'Name', cell: ({ name }) => name },
  { name: 'url', label: 'URL', from: 'sm', cell: ({ url }) => url },
  {
    name: 'state',
    label: 'Status',
    width: '7rem',
    cell: (endpoint) => (
      <span title={endpoint.restReason ?? ''}>
        <Badge tone={endpointState(endpoint).tone}>{endpointState(endpoint).text}</Badge>
      </span>
    ),
  },
  {
    name: 'events',
    label: 'Events',
    width: '6rem',
    isNumber: true,
    from: 'md',
    cell: ({ eventTypes }) => eventTypes.length,
  },
]

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

function AddEndpoint({ onClose }: { readonly onClose: () => void }) {
  const add = useChange((body: object) => api.post<{ secret: string }>(ENDPOINTS, body), {
    touches: [ENDPOINTS],
  })
  const { values, field } = useForm({ name: '', url: '' }, add.error)
  const [events, setEvents] = useState<readonly string[]>(EVENTS.slice(0, 2))
  if (add.data) return <NewSecret what="secret" text={add.data.secret} onClose={onClose} />
  return (
    <FormDialog
      title="New endpoint"
      about="Events are sent by POST with a signature."
      action="Add endpoint"
      of={add}
      onSubmit={() => add.mutate({ ...values, eventTypes: events })}
      onClose={onClose}
    >
      <TextField label="Name" required {...field('name')} />
      <TextField label="URL" type="url" required placeholder="https://" {...field('url')} />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-xs font-medium text-ink-soft">Events</legend>
        {EVENTS.map((name) => (
          <CheckField
            key={name}
            label={name}
            state={events.includes(name)}
            onToggle={(isOn) =>
              setEvents(isOn ? [...events, name] : events.filter((other) => other !== name))
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
