import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange, useList, useRead } from '../../../api/hooks.ts'
import { useZone } from '../../../api/me.ts'
import type { ChangeSet, ChangeSetRow } from '../../../api/types.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { sayCount } from '../../../ui/format/format.ts'
import { inLabels } from '../../../ui/format/words.ts'
import { ProblemNote, ProblemState, Waiting } from '../../../ui/layout/states.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { notify, notifyProblem } from '../../../ui/overlays/toast.tsx'
import { TOUCHED } from '../changes.ts'
import { sayChange } from './say-change.ts'
import { isWorking, openRows, saySet } from './states.ts'

const CHANGE_SETS = '/admin/change-sets'
const TOUCHES = [...TOUCHED, CHANGE_SETS]

/** Publishes and undoes change sets, and says what happened. */
export function useSteps(id: string) {
  const undoing = useChange(() => api.post<ChangeSet>(`${CHANGE_SETS}/${id}/undo`), {
    touches: TOUCHES,
  })
  const undo = () =>
    undoing.mutate(undefined, {
      onSuccess: (set) => notify(saySet(set)),
      onError: notifyProblem,
    })
  const publishing = useChange(() => api.post<ChangeSet>(`${CHANGE_SETS}/${id}/publish`), {
    touches: TOUCHES,
  })
  const publish = () =>
    publishing.mutate(undefined, {
      onSuccess: (set) => set.state === 'published' && set.changed > 0 && notify(saySet(set), undo),
    })
  return { publish, publishing, undo, undoing }
}

interface DialogProps {
  readonly id: string
  readonly onClose: () => void
}

/** A change set: its preview, its progress, its result and its undo. */
export function ChangeSetDialog({ id, onClose }: DialogProps) {
  const [everySeconds, setEvery] = useState<number>()
  const read = useRead<ChangeSet>(`${CHANGE_SETS}/${id}`, {
    ...(everySeconds !== undefined && { everySeconds }),
  })
  const set = read.data
  const next = set && isWorking(set) ? 1 : undefined
  if (set && next !== everySeconds) setEvery(next)
  return (
    <Dialog title={set?.title ?? 'Change set'} isOpen isWide onClose={onClose}>
      {set ? (
        <Whole set={set} onClose={onClose} />
      ) : read.error ? (
        <ProblemState error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Waiting lines={5} />
      )}
    </Dialog>
  )
}

function Whole({ set, onClose }: { readonly set: ChangeSet; readonly onClose: () => void }) {
  const { publish, publishing, undo, undoing } = useSteps(set.id)
  return (
    <div className="flex flex-col gap-4">
      <p role="status">{saySet(set)}</p>
      {isWorking(set) && <Progress set={set} />}
      <RowList set={set} />
      <ProblemNote error={publishing.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{set.state === 'draft' ? 'Cancel' : 'Close'}</Button>
        {set.state === 'draft' && (
          <Button
            look="primary"
            isBusy={publishing.isPending}
            disabled={set.ready === 0}
            onClick={publish}
          >
            {set.ready === 1 ? 'Make 1 change' : `Make ${sayCount(set.ready)} changes`}
          </Button>
        )}
        {set.state === 'published' && set.changed > 0 && (
          <Button isBusy={undoing.isPending} onClick={undo}>
            Undo all
          </Button>
        )}
      </div>
    </div>
  )
}

function Progress({ set }: { readonly set: ChangeSet }) {
  const done = set.rows - openRows(set)
  return (
    <progress
      aria-label="Progress"
      className="h-1.5 w-full accent-accent"
      value={done}
      max={Math.max(set.rows, 1)}
    />
  )
}

const OUTCOMES: Readonly<Record<ChangeSetRow['outcome'], { text: string; tone: Tone }>> = {
  waiting: { text: 'Being checked', tone: 'neutral' },
  ready: { text: 'Will change', tone: 'info' },
  unchanged: { text: 'Already so', tone: 'neutral' },
  refused: { text: 'Refused', tone: 'bad' },
  changed: { text: 'Changed', tone: 'good' },
  undone: { text: 'Undone', tone: 'neutral' },
  kept: { text: 'Kept', tone: 'warn' },
}

/** The rows, those that need attention first. */
function RowList({ set }: { readonly set: ChangeSet }) {
  const problems = useRows(set, set.state === 'undone' ? 'kept' : 'refused')
  const others = useRows(set, mainOutcome(set))
  const rows = [...problems.rows, ...others.rows]
  if (rows.length === 0) return null
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
      tabIndex={0}
      role="region"
      aria-label="Rows"
      className="max-h-[50dvh] overflow-y-auto rounded-md border"
    >
      <ul>
        {rows.map((row) => (
          <Row key={row.position} row={row} />
        ))}
      </ul>
      {(problems.hasMore || others.hasMore) && (
        <div className="p-2 text-center">
          <Button
            look="ghost"
            onClick={() => {
              problems.loadMore()
              others.loadMore()
            }}
          >
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

const mainOutcome = ({ state, changed }: ChangeSet): ChangeSetRow['outcome'] => {
  if (state === 'undone') return 'undone'
  return state === 'published' || (state === 'undoing' && changed > 0) ? 'changed' : 'ready'
}

/** The version in the query reloads the rows whenever the set has moved on. */
const useRows = ({ id, state }: ChangeSet, outcome: ChangeSetRow['outcome']) =>
  useList<ChangeSetRow>(`${CHANGE_SETS}/${id}/rows`, {
    query: { outcome },
    pageSize: 100,
    ...(state.endsWith('ing') && { everySeconds: 2 }),
  })

function Row({ row }: { readonly row: ChangeSetRow }) {
  const zone = useZone()
  const { text, tone } = OUTCOMES[row.outcome]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 not-last:border-b">
      <span className="min-w-0 flex-1 basis-40 truncate font-medium">{row.name}</span>
      <span className="text-ink-soft">
        {row.reason === null
          ? row.changes.map((change) => sayChange(change, { ...row, zone })).join(' · ')
          : inLabels(row.reason)}
      </span>
      <Badge tone={tone}>{text}</Badge>
    </li>
  )
}
