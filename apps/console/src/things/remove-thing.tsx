import { api } from '../api/client.ts'
import { useChange } from '../api/hooks.ts'
import { Confirm } from '../ui/overlays/dialog.tsx'
import { notify, notifyProblem } from '../ui/overlays/toast.tsx'
import type { Removal, Thing, ThingRow } from './thing.ts'

const DONE: Readonly<Record<Removal['action'], string>> = {
  Archive: 'is archived',
  Delete: 'is deleted',
  Revoke: 'is revoked',
}

/** Brings an archived thing back. */
export function useRestore<Row extends ThingRow>({
  path,
  touches = [],
  nameOf,
}: Pick<Thing<Row>, 'path' | 'touches' | 'nameOf'>) {
  const restore = useChange((row: Row) => api.post(`${path}/${row.id}/restore`), {
    touches: [path, ...touches],
  })
  return (row: Row) =>
    restore.mutate(row, {
      onSuccess: () => notify(`${nameOf(row)} is back.`),
      onError: notifyProblem,
    })
}

interface RemoveProps<Row extends ThingRow> {
  readonly of: Pick<Thing<Row>, 'path' | 'touches' | 'nameOf' | 'noun'>
  readonly removal: Removal
  readonly row: Row
  readonly onClose: () => void
}

/** Asks, and removes. What was archived can be brought back at once. */
export function RemoveThing<Row extends ThingRow>({ of, removal, row, onClose }: RemoveProps<Row>) {
  const { action, consequence, call } = removal
  const { path, touches = [], nameOf, noun } = of
  const restore = useRestore(of)
  const remove = useChange(
    () => (call ? api.post(`${path}/${row.id}/${call}`) : api.delete(`${path}/${row.id}`)),
    { touches: [path, ...touches] },
  )
  const onSuccess = () => {
    onClose()
    notify(`${nameOf(row)} ${DONE[action]}.`, action === 'Archive' ? () => restore(row) : undefined)
  }
  return (
    <Confirm
      title={`${action} ${nameOf(row)}?`}
      text={consequence}
      action={`${action} ${noun}`}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      isOpen
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess })}
    />
  )
}
