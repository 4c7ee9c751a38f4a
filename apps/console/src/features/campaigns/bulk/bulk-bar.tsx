import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/hooks.ts'
import type { Campaign, ChangeSet, CreateChangeSet } from '../../../api/types.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { notifyProblem } from '../../../ui/overlays/toast.tsx'
import { ChangeSetDialog } from './change-set-dialog.tsx'
import { AmountDialog, DatesDialog, LabelsDialog } from './edit-dialogs.tsx'
import type { Edit } from './edits.ts'

/** As in the address of the list. */
type Filter = Readonly<Record<string, string>>

interface BarProps {
  readonly chosen: readonly Campaign[]
  /** What the list shows now. */
  readonly filter: Filter
  /** The list has more rows than those loaded and chosen. */
  readonly hasOthers: boolean
  readonly onClear: () => void
}

const MOVES = [
  { label: 'Start', edit: { move: 'activate' } },
  { label: 'Pause', edit: { move: 'pause' } },
  { label: 'End', edit: { move: 'end' } },
] as const
const ARCHIVE: Edit = { archive: true }

/** Actions for the chosen campaigns, or for all that the filter finds. Each opens a preview. */
export function BulkBar({ chosen, filter, hasOthers, onClear }: BarProps) {
  const [isAll, setAll] = useState(false)
  const [asks, setAsks] = useState<'amounts' | 'dates' | 'labels'>()
  const [changeSetId, setChangeSetId] = useState<string>()
  const drafting = useChange((body: CreateChangeSet) => api.post<ChangeSet>(PATH, body), {
    touches: [PATH],
  })
  const draft = (edit: Edit) => {
    setAsks(undefined)
    const campaigns = isAll ? { filter } : { ids: chosen.map(({ id }) => id) }
    drafting.mutate(
      { campaigns, edit },
      { onSuccess: ({ id }) => setChangeSetId(id), onError: notifyProblem },
    )
  }
  const what = isAll ? 'all that match' : campaignsIn(chosen.length)
  const currencies = [...new Set(chosen.map(({ currency }) => currency))]
  return (
    <div
      role="toolbar"
      aria-label="Selected campaigns"
      className="sticky top-2 z-30 flex flex-wrap items-center gap-2 rounded-lg bg-surface py-2 pr-2 pl-4 shadow-float appear"
    >
      <span className="font-medium">
        {isAll ? 'All that match the filter' : `${chosen.length} selected`}
      </span>
      {hasOthers && !isAll && (
        <LinkButton onClick={() => setAll(true)}>Select all that match the filter</LinkButton>
      )}
      <span className="mr-auto" />
      {MOVES.map(({ label, edit }) => (
        <Button key={label} isBusy={drafting.isPending} onClick={() => draft(edit)}>
          {label}
        </Button>
      ))}
      <Menu
        items={[
          { label: 'Budgets and bids…', onSelect: () => setAsks('amounts') },
          { label: 'Dates…', onSelect: () => setAsks('dates') },
          { label: 'Labels…', onSelect: () => setAsks('labels') },
          { label: 'Archive', isDangerous: true, onSelect: () => draft(ARCHIVE) },
        ]}
      >
        <Button>More</Button>
      </Menu>
      <Button look="ghost" onClick={onClear}>
        Clear selection
      </Button>
      {asks === 'amounts' && (
        <AmountDialog {...{ what, currencies }} onEdit={draft} onClose={() => setAsks(undefined)} />
      )}
      {asks === 'dates' && (
        <DatesDialog what={what} onEdit={draft} onClose={() => setAsks(undefined)} />
      )}
      {asks === 'labels' && (
        <LabelsDialog what={what} onEdit={draft} onClose={() => setAsks(undefined)} />
      )}
      {changeSetId && (
        <ChangeSetDialog id={changeSetId} onClose={() => setChangeSetId(undefined)} />
      )}
    </div>
  )
}

const PATH = '/admin/change-sets'
const campaignsIn = (count: number) => (count === 1 ? '1 campaign' : `${count} campaigns`)
