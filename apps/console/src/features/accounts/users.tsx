import type { Account as AccountSchema, User as UserSchema } from '@placard/contract/accounts'
import { Plus, Users as UsersIcon } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { PageOf } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states.tsx'
import { tell, tellProblem } from '../../ui/toast.tsx'

type User = Static<typeof UserSchema>
type Account = Static<typeof AccountSchema>

const USERS = '/admin/users'
const ROLES = [
  { value: 'operator', label: 'Operator: runs the platform' },
  { value: 'ad-ops', label: 'Ad operations: books campaigns and manages inventory' },
  { value: 'advertiser', label: 'Advertiser: runs own campaigns' },
  { value: 'publisher', label: 'Publisher: manages own sites' },
  { value: 'trust', label: 'Trust: reviews account security' },
]

/** Everybody with a sign-in. */
export function Users() {
  const canChange = useMay()('users:write')
  const [isAdding, setAdding] = useState(false)
  const list = useList<User>(USERS)
  const turn = useChange(
    ({ id, version, isActive }: User) =>
      api.patch(`${USERS}/${id}`, { isActive: !isActive }, version),
    { touches: [USERS] },
  )
  const onTurn = (user: User) =>
    turn.mutate(user, {
      onError: tellProblem,
      onSuccess: () =>
        tell(
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
            New user
          </Button>
        )
      }
    >
      <DataTable
        label="Users"
        columns={columnsWith(canChange ? onTurn : undefined)}
        {...list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon={UsersIcon} title="No users yet" />}
      />
      {isAdding && <AddUser onClose={() => setAdding(false)} />}
    </Card>
  )
}

const columnsWith = (turn: ((user: User) => void) | undefined): Column<User>[] => [
  {
    name: 'name',
    label: 'Name',
    sortBy: ({ displayName }) => displayName,
    cell: ({ displayName }) => displayName,
  },
  { name: 'email', label: 'E-mail', from: 'md', cell: ({ email }) => email },
  { name: 'account', label: 'Account', from: 'sm', cell: ({ accountName }) => accountName },
  { name: 'role', label: 'Role', width: '7.5rem', cell: ({ role }) => <Badge>{role}</Badge> },
  {
    name: 'state',
    label: '',
    width: '8rem',
    cell: (user) =>
      turn ? (
        <Button look="ghost" onClick={() => turn(user)}>
          {user.isActive ? 'Deactivate' : 'Activate'}
        </Button>
      ) : (
        !user.isActive && <Badge tone="warn">Deactivated</Badge>
      ),
  },
]

function AddUser({ onClose }: { readonly onClose: () => void }) {
  const accounts = useRead<PageOf<Account>>('/admin/accounts', { query: { limit: 200 } })
  const options = accounts.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const add = useChange((body: object) => api.post(USERS, body), { touches: [USERS] })
  const { values, field } = useForm(
    { displayName: '', email: '', accountId: '', role: 'advertiser', password: '' },
    add.error,
  )
  return (
    <FormDialog
      title="New user"
      action="Add user"
      of={add}
      onSubmit={() => {
        const accountId = values.accountId || options[0]?.value
        add.mutate({ ...values, accountId }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      <TextField label="Name" required {...field('displayName')} />
      <TextField label="E-mail" type="email" required {...field('email')} />
      <SelectField label="Account" options={options} {...field('accountId')} />
      <SelectField label="Role" options={ROLES} {...field('role')} />
      <TextField
        label="Initial password"
        type="password"
        autoComplete="new-password"
        required
        {...field('password')}
      />
    </FormDialog>
  )
}
