import type { ApiKey as ApiKeySchema } from '@placard/contract/accounts'
import { KeyRound } from 'lucide-react'
import type { Static } from 'typebox'
import { ACCOUNTS } from '../../things/choosables.ts'
import { ownAccount } from '../../things/presets.ts'
import { choosable, defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'
import { When } from '../../ui/format/amounts.tsx'
import { useNow } from '../../ui/format/now.ts'
import { NewSecret } from './new-secret.tsx'
import { keyState } from './states.ts'

type ApiKey = Static<typeof ApiKeySchema>

export const keyThing = defineThing<ApiKey, { readonly key: string }>({
  noun: 'key',
  title: 'API keys',
  path: '/admin/api-keys',
  permission: 'keys',
  icon: KeyRound,
  about: 'A program that calls the API needs a key. It may do what you choose, and nothing else.',
  nameOf: ({ name }) => name,
  sort: '-createdAt',
  columns: [
    { name: 'name', label: 'Key', sortBy: ({ name }) => name, cell: ({ name }) => name },
    {
      name: 'start',
      label: 'Prefix',
      width: '9rem',
      from: 'md',
      cell: ({ keyStart }) => <span className="font-mono text-xs">{keyStart}…</span>,
    },
    {
      name: 'scopes',
      label: 'Permissions',
      from: 'md',
      cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
    },
    {
      name: 'used',
      label: 'Last used',
      width: '8rem',
      from: 'sm',
      cell: ({ lastUsedAt }) => <When at={lastUsedAt} />,
    },
    {
      name: 'state',
      label: 'Status',
      width: '7rem',
      cell: (key) => <State of={key} />,
    },
  ],
  fields: [
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'The shop' }, only: 'make' },
    {
      name: 'accountId',
      label: 'Account',
      hint: 'The key sees what this account sees.',
      entry: { as: 'thing', of: choosable(ACCOUNTS) },
      only: 'make',
      needs: 'accounts:read',
      preset: ownAccount,
    },
    {
      name: 'scopes',
      label: 'Permissions',
      hint: 'A key can have only permissions that you have, and that its account can have.',
      entry: {
        as: 'choices',
        options: ({ permissions }) =>
          permissions.toSorted().map((scope) => ({ value: scope, label: scope })),
      },
      only: 'make',
    },
    {
      name: 'expiresAt',
      label: 'Valid until',
      entry: { as: 'instant' },
      isOptional: true,
      only: 'make',
    },
  ],
  removal: {
    action: 'Revoke',
    call: 'revoke',
    consequence: 'Requests with this key are refused at once. This cannot be undone.',
  },
  isGone: ({ revokedAt }) => revokedAt !== null,
  shownOnce: ({ key }, onClose) => <NewSecret what="key" text={key} onClose={onClose} />,
})

function State({ of }: { readonly of: ApiKey }) {
  const { text, tone } = keyState(of, useNow(60))
  return <Badge tone={tone}>{text}</Badge>
}
