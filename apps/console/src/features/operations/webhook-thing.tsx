import type * as contract from '@placard/contract/webhooks'
import { Webhook } from 'lucide-react'
import type { Static } from 'typebox'
import { defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'
import { NewSecret } from './new-secret.tsx'
import { endpointState } from './states.ts'

const EVENTS = [
  { value: 'campaign.state-changed.v1', label: 'A campaign starts, pauses or ends' },
  { value: 'budget.exhausted.v1', label: 'A budget is used up' },
  { value: 'spend.updated.v1', label: 'Spend changed' },
  { value: 'ad.served.v1', label: 'An ad was served' },
  { value: 'ads.impression.tracked.v1', label: 'An impression was counted' },
  { value: 'ads.click.tracked.v1', label: 'A click was counted' },
  { value: 'ads.conversion.tracked.v1', label: 'A conversion was counted' },
  { value: 'geo.review-recommended.v1', label: 'A country should be reviewed' },
] as const

const LABELLED = EVENTS.map(({ value, label }) => ({ value, label, note: value }))

export const webhookThing = defineThing<
  Static<typeof contract.WebhookEndpoint>,
  { readonly secret: string }
>({
  noun: 'endpoint',
  title: 'Webhook endpoints',
  path: '/admin/webhook-endpoints',
  permission: 'webhooks',
  icon: Webhook,
  about:
    'An endpoint is an address of yours. Placard sends it every event that it subscribes to, as a signed request.',
  nameOf: ({ name }) => name,
  sort: 'name',
  columns: [
    { name: 'name', label: 'Endpoint', sortBy: ({ name }) => name, cell: ({ name }) => name },
    { name: 'url', label: 'Address', from: 'sm', cell: ({ url }) => url },
    {
      name: 'events',
      label: 'Events',
      width: '6rem',
      isNumber: true,
      from: 'md',
      cell: ({ eventTypes }) => eventTypes.length,
    },
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
  ],
  fields: [
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'The warehouse' } },
    {
      name: 'url',
      label: 'Address',
      entry: { as: 'text', type: 'url', example: 'https://warehouse.example/placard' },
    },
    { name: 'eventTypes', label: 'Events', entry: { as: 'choices', options: LABELLED } },
    {
      name: 'isActive',
      label: 'Active',
      hint: 'When off, nothing is sent. Switching it on again clears its failures.',
      entry: { as: 'switch' },
      only: 'change',
    },
  ],
  removal: {
    action: 'Delete',
    consequence: 'Nothing more is sent, and its deliveries are deleted. This cannot be undone.',
  },
  touches: ['/admin/webhook-deliveries'],
  shownOnce: ({ secret }, onClose) => <NewSecret what="secret" text={secret} onClose={onClose} />,
})
