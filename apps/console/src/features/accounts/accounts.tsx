import { Building2 } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import type { Account } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayWord } from '../../ui/format/format.ts'
import { SwitchField } from '../../ui/forms/fields.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'

const ACCOUNTS = '/admin/accounts'

/** All accounts, and which of them require a second step. */
export function Accounts() {
  const list = useList<Account>(ACCOUNTS)
  const require = useChange(
    ({ id, version, requiresFactor }: Account) =>
      api.patch(`${ACCOUNTS}/${id}`, { requiresFactor: !requiresFactor }, version),
    { touches: [ACCOUNTS] },
  )
  const onToggle = (account: Account) =>
    require.mutate(account, {
      onSuccess: () =>
        notify(
          account.requiresFactor
            ? `${account.name} no longer requires two-step sign-in.`
            : `Everybody of ${account.name} needs two-step sign-in from now on.`,
        ),
      onError: notifyProblem,
    })
  return (
    <Card
      title="Accounts"
      hint="Where two-step sign-in is required, whoever has not set it up does so before anything else."
      isFlush
    >
      <DataTable
        label="Accounts"
        columns={columnsWith(onToggle)}
        {...list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon={Building2} title="No accounts yet" />}
      />
    </Card>
  )
}

const columnsWith = (onToggle: (account: Account) => void): Column<Account>[] => [
  { name: 'name', label: 'Name', sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    name: 'kind',
    label: 'Kind',
    from: 'sm',
    width: '9rem',
    cell: ({ kind }) => <Badge>{sayWord(kind)}</Badge>,
  },
  {
    name: 'two-step',
    label: 'Two-step sign-in',
    width: '12rem',
    cell: (account) => (
      <SwitchField
        label="Required"
        isOn={account.requiresFactor}
        onToggle={() => onToggle(account)}
      />
    ),
  },
]
