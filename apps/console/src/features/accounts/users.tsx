import { MoreHorizontal, Plus, Users as UsersIcon } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Account, PageOf } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { SelectField, TextField } from '../../ui/forms/fields.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { type UserLink, UserLinks } from './user-links.tsx'
import { ROLES, type User, USERS, useUserHelp } from './user-help.tsx'

/** All users. */
export function Users() {
  const canChange = useMay()('users:write')
  const [isAdding, setAdding] = useState(false)
  const list = useList<User>(USERS)
  const toggle = useChange(
    ({ id, version, isActive }: User) =>
      api.patch(`${USERS}/${id}`, { isActive: !isActive }, version),
    { touches: [USERS] },
  )
  const help = useUserHelp()
  const onToggle = (user: User) =>
    toggle.mutate(user, {
      onError: notifyProblem,
      onSuccess: () =>
        notify(
          `${user.displayName} ${user.isActive ? 'can no longer sign in' : 'can sign in again'}.`,
        ),
    })
  return (
    <Card
      title="Users"
      isFlush
      actions={
        canChange && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Invite user
          </Button>
        )
      }
    >
      <DataTable
        label="Users"
        columns={columnsWith(
          canChange ? (user) => help.itemsFor(user, () => onToggle(user)) : undefined,
        )}
        {...list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon={UsersIcon} title="No users yet" />}
      />
      {isAdding && <InviteUser onClose={() => setAdding(false)} />}
      {help.dialog}
    </Card>
  )
}

const columnsWith = (itemsFor: ((user: User) => MenuItem[]) | undefined): Column<User>[] => [
  {
    name: 'name',
    label: 'Name',
    sortBy: ({ displayName }) => displayName,
    cell: ({ displayName }) => displayName,
  },
  { name: 'email', label: 'E-mail', from: 'md', cell: mailOf },
  { name: 'account', label: 'Account', from: 'sm', cell: ({ accountName }) => accountName },
  {
    name: 'two-step',
    label: 'Two-step',
    from: 'md',
    width: '6rem',
    cell: ({ hasFactor }) =>
      hasFactor ? <Badge tone="good">On</Badge> : <span className="text-ink-faint">Off</span>,
  },
  {
    name: 'role',
    label: 'Role',
    from: 'sm',
    width: '7.5rem',
    cell: ({ role }) => <Badge>{role}</Badge>,
  },
  {
    name: 'state',
    label: '',
    width: '10rem',
    cell: (user) => (
      <span className="flex items-center justify-end gap-2">
        {!user.isActive && <Badge tone="warn">Deactivated</Badge>}
        {itemsFor && (
          <Menu items={itemsFor(user)}>
            <IconButton label={`Manage ${user.displayName}`} icon={MoreHorizontal} />
          </Menu>
        )}
      </span>
    ),
  },
]

const mailOf = ({ email, signsInBy }: User) =>
  signsInBy === 'provider' ? `${email} (company sign-in)` : email

function InviteUser({ onClose }: { readonly onClose: () => void }) {
  const accounts = useRead<PageOf<Account>>('/admin/accounts', { query: { limit: 200 } })
  const options = accounts.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const add = useChange((body: object) => api.post<UserLink>(`${USERS}/invite`, body), {
    touches: [USERS],
  })
  const { values, field } = useForm(
    { displayName: '', email: '', accountId: '', role: 'advertiser' },
    add.error,
  )
  if (add.data) return <UserLinks links={[add.data]} onClose={onClose} />
  return (
    <FormDialog
      title="Invite user"
      about="They choose a password with a link that works for three days."
      action="Invite"
      of={add}
      onSubmit={() => {
        const accountId = values.accountId || options[0]?.value
        add.mutate({ ...values, accountId })
      }}
      onClose={onClose}
    >
      <TextField label="Name" required {...field('displayName')} />
      <TextField label="E-mail" type="email" required {...field('email')} />
      <SelectField label="Account" options={options} {...field('accountId')} />
      <SelectField label="Role" options={ROLES} {...field('role')} />
    </FormDialog>
  )
}
