import type { NewRecipient } from '@placard/contract/notices'
import { BellRing } from 'lucide-react'
import type { Static } from 'typebox'
import { defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'
import { NewSecret } from '../operations/new-secret.tsx'
import {
  type Recipient,
  RECIPIENTS,
  waitsForConfirmation,
} from '../reports/recipient-confirmation.tsx'
import { UserLinks } from './user-links.tsx'

const TOPICS = [
  { value: 'under-delivery', label: 'A campaign is behind its plan' },
  { value: 'exhausted-early', label: 'A budget is used up early' },
  { value: 'ctr-collapse', label: 'A click rate collapses' },
  { value: 'sync-failing', label: 'A connection fails' },
  { value: 'conversion-held', label: 'A conversion was set aside' },
  { value: 'film-errors', label: 'A film does not play' },
  { value: 'site-domain', label: 'A domain is no longer proven' },
  { value: 'proposals', label: 'A proposal waits or was decided' },
  { value: 'geo-review', label: 'A country should be reviewed', note: 'Platform only' },
  { value: 'geo-session', label: 'A session looks stolen', note: 'Platform only' },
]

export const recipientThing = defineThing<Recipient, Static<typeof NewRecipient>>({
  noun: 'recipient',
  title: 'Alert recipients',
  path: RECIPIENTS,
  permission: 'reports',
  icon: BellRing,
  about:
    'A recipient is told by mail or by a call when something needs attention, and can get saved reports. Each address agrees first.',
  nameOf: ({ name }) => name,
  sort: 'name',
  columns: [
    { name: 'name', label: 'Recipient', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      name: 'to',
      label: 'Addresses',
      from: 'sm',
      cell: ({ mailTo, webhookUrl }) => [...mailTo, webhookUrl].filter(Boolean).join(', '),
    },
    {
      name: 'topics',
      label: 'Alerts',
      width: '6rem',
      isNumber: true,
      from: 'md',
      cell: ({ topics }) => topics.length,
    },
    {
      name: 'state',
      label: 'Status',
      width: '11rem',
      cell: (recipient) => <State of={recipient} />,
    },
  ],
  fields: [
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'Campaign team' } },
    {
      name: 'mailTo',
      label: 'Mail addresses',
      hint: 'One per line. Each gets a mail with a link, and nothing else before it agrees.',
      entry: { as: 'lines', example: 'ada@northwind.example' },
      isOptional: true,
    },
    {
      name: 'webhookUrl',
      label: 'Address to call',
      entry: { as: 'text', type: 'url', example: 'https://hooks.northwind.example/placard' },
      isOptional: true,
    },
    {
      name: 'topics',
      label: 'Alerts',
      entry: { as: 'choices', options: TOPICS },
      isOptional: true,
    },
    {
      name: 'isActive',
      label: 'Active',
      hint: 'When off, nothing is sent.',
      entry: { as: 'switch' },
      only: 'change',
    },
  ],
  removal: {
    action: 'Delete',
    consequence: 'It gets no more alerts and reports. This cannot be undone.',
  },
  touches: ['/reports/saved'],
  shownOnce: ({ secret, confirmations, webhookUrl }, onClose) =>
    webhookUrl ? (
      <NewSecret what="secret" text={secret} onClose={onClose} />
    ) : (
      <UserLinks links={confirmations} onClose={onClose} />
    ),
})

function State({ of }: { readonly of: Recipient }) {
  if (!of.isActive) return <Badge>Off</Badge>
  return waitsForConfirmation(of) ? (
    <Badge tone="warn">Not confirmed</Badge>
  ) : (
    <Badge tone="good">Active</Badge>
  )
}
