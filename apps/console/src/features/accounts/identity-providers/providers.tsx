import { Building2, MoreHorizontal, Pencil, Plus, Power, Stethoscope, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange, useList } from '../../../api/hooks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/layout/states.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx'
import { notify, notifyProblem } from '../../../ui/overlays/toast.tsx'
import { type Provider, PROVIDERS } from './draft.ts'
import { ProviderCheck } from './provider-check.tsx'
import { ProviderForm } from './provider-form.tsx'

interface Open {
  readonly what: 'form' | 'check' | 'delete'
  readonly provider?: Provider
}

/** Where people sign in who have no password here. */
export function IdentityProviders() {
  const list = useList<Provider>(PROVIDERS)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const itemsFor = useItems(setOpen)
  return (
    <Card
      title="Identity providers"
      hint="People sign in with Google, Entra ID, Keycloak or another OpenID Connect provider."
      isFlush
      actions={
        <Button icon={Plus} onClick={() => setOpen({ what: 'form' })}>
          New provider
        </Button>
      }
    >
      <DataTable
        label="Identity providers"
        columns={columnsWith(itemsFor)}
        {...list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon={Building2}
            title="No identity providers yet"
            text="Everybody signs in with a password of their own."
          />
        }
      />
      {open?.what === 'form' && (
        <ProviderForm
          provider={open.provider}
          onSaved={(provider) => setOpen({ what: 'check', provider })}
          onClose={close}
        />
      )}
      {open?.what === 'check' && <ProviderCheck provider={open.provider!} onClose={close} />}
      {open?.what === 'delete' && <DeleteProvider provider={open.provider!} onClose={close} />}
    </Card>
  )
}

function useItems(onOpen: (open: Open) => void) {
  const toggle = useChange(
    ({ id, version, isActive }: Provider) =>
      api.patch(`${PROVIDERS}/${id}`, { isActive: !isActive }, version),
    { touches: [PROVIDERS] },
  )
  const onToggle = (provider: Provider) =>
    toggle.mutate(provider, {
      onError: notifyProblem,
      onSuccess: () =>
        notify(
          provider.isActive
            ? `${provider.name} is off, and whoever came through it is signed out.`
            : `${provider.name} is on the sign-in page again.`,
        ),
    })
  return (provider: Provider): MenuItem[] => [
    { label: 'Change', icon: Pencil, onSelect: () => onOpen({ what: 'form', provider }) },
    {
      label: 'Check, show addresses',
      icon: Stethoscope,
      onSelect: () => onOpen({ what: 'check', provider }),
    },
    {
      label: provider.isActive ? 'Switch off' : 'Switch on',
      icon: Power,
      onSelect: () => onToggle(provider),
    },
    {
      label: 'Delete',
      icon: Trash2,
      isDangerous: true,
      onSelect: () => onOpen({ what: 'delete', provider }),
    },
  ]
}

const columnsWith = (itemsFor: (provider: Provider) => MenuItem[]): Column<Provider>[] => [
  { name: 'name', label: 'Name', cell: ({ name }) => name },
  { name: 'issuer', label: 'Issuer', from: 'sm', cell: ({ issuer }) => issuer },
  {
    name: 'domains',
    label: 'E-mail domains',
    from: 'md',
    cell: ({ emailDomains }) => emailDomains.join(', '),
  },
  {
    name: 'rules',
    label: 'Rules',
    width: '5rem',
    isNumber: true,
    from: 'md',
    cell: ({ rules }) => rules.length,
  },
  {
    name: 'state',
    label: '',
    width: '7rem',
    cell: (provider) => (
      <span className="flex items-center justify-end gap-2">
        <Badge tone={provider.isActive ? 'good' : 'neutral'}>
          {provider.isActive ? 'On' : 'Off'}
        </Badge>
        <Menu items={itemsFor(provider)}>
          <IconButton label={`Manage ${provider.name}`} icon={MoreHorizontal} />
        </Menu>
      </span>
    ),
  },
]

interface DeleteProps {
  readonly provider: Provider
  readonly onClose: () => void
}

function DeleteProvider({ provider, onClose }: DeleteProps) {
  const remove = useChange(() => api.delete(`${PROVIDERS}/${provider.id}`), {
    touches: [PROVIDERS],
  })
  return (
    <Confirm
      title={`Delete ${provider.name}?`}
      text="Whoever came through it is signed out and cannot come in any more, until you give them a link to choose a password."
      action="Delete"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    />
  )
}
