import type { ApiKey as ApiKeySchema } from '@placard/contract/accounts'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay, useMe } from '../../api/me.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { CheckField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { EmptyState } from '../../ui/layout/states.tsx'
import { NewSecret } from './new-secret.tsx'

type ApiKey = Static<typeof ApiKeySchema>

const KEYS = '/admin/api-keys'

/** API keys and their permissions. */
export function Keys() {
  const canChange = useMay()('keys:write')
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<ApiKey>()
  const list = useList<ApiKey>(KEYS)
  const revoke = useChange((id: string) => api.post(`${KEYS}/${id}/revoke`), { touches: [KEYS] })
  return (
    <Card
      title="API keys"
      isFlush
      actions={
        canChange && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            New key
          </Button>
        )
      }
    >
      <DataTable
        label="API keys"
        columns={columnsWith(canChange ? setLeaving : undefined)}
        {...list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon={KeyRound}
            title="No keys yet"
            text="A program that calls the API needs a key."
          />
        }
      />
      {isAdding && <AddKey onClose={() => setAdding(false)} />}
      <Confirm
        title={`Revoke ${leaving?.name ?? 'this key'}?`}
        text="Requests with this key are refused at once. This cannot be undone."
        action="Revoke key"
        isDangerous
        isBusy={revoke.isPending}
        error={revoke.error}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={() =>
          leaving && revoke.mutate(leaving.id, { onSuccess: () => setLeaving(undefined) })
        }
      />
    </Card>
  )
}

const columnsWith = (revoke: ((key: ApiKey) => void) | undefined): Column<ApiKey>[] => [
  { name: 'name', label: 'Name', cell: ({ name }) => name },
  {
    name: 'key',
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
    label: '',
    width: '7rem',
    cell: (key) =>
      key.revokedAt ? (
        <Badge tone="bad">Revoked</Badge>
      ) : (
        revoke && (
          <Button look="ghost" onClick={() => revoke(key)}>
            Revoke
          </Button>
        )
      ),
  },
]

function AddKey({ onClose }: { readonly onClose: () => void }) {
  const me = useMe()
  const add = useChange((body: object) => api.post<{ key: string }>(KEYS, body), {
    touches: [KEYS],
  })
  const { values, field } = useForm({ name: '' }, add.error)
  const [scopes, setScopes] = useState<readonly string[]>([])
  if (add.data) return <NewSecret what="key" text={add.data.key} onClose={onClose} />
  return (
    <FormDialog
      title="New key"
      about="A key can have only permissions that you have."
      action="Create key"
      of={add}
      onSubmit={() => add.mutate({ name: values.name, accountId: me.user?.accountId, scopes })}
      onClose={onClose}
    >
      <TextField label="Name" required {...field('name')} />
      <fieldset className="grid max-h-64 gap-1.5 overflow-y-auto sm:grid-cols-2">
        <legend className="mb-1 text-xs font-medium text-ink-soft">Permissions</legend>
        {me.permissions.toSorted().map((scope) => (
          <CheckField
            key={scope}
            label={scope}
            state={scopes.includes(scope)}
            onToggle={(isOn) =>
              setScopes(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope))
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
