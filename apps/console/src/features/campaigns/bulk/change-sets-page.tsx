import { History } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../../api/hooks.ts'
import type { ChangeSet } from '../../../api/types.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { When } from '../../../ui/format/amounts.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { EmptyState } from '../../../ui/layout/states.tsx'
import { ChangeSetDialog } from './change-set-dialog.tsx'
import { isWorking, saySet } from './states.ts'

const STATES: Readonly<Record<ChangeSet['state'], { text: string; tone: Tone }>> = {
  checking: { text: 'Checking', tone: 'info' },
  draft: { text: 'Draft', tone: 'neutral' },
  publishing: { text: 'Changing', tone: 'info' },
  published: { text: 'Made', tone: 'good' },
  undoing: { text: 'Undoing', tone: 'info' },
  undone: { text: 'Undone', tone: 'warn' },
}

/** Edits of many campaigns, newest first: what each did, and its undo. */
export function ChangeSetsPage() {
  const [openId, setOpenId] = useState<string>()
  const list = useList<ChangeSet>('/admin/change-sets', { everySeconds: 10 })
  return (
    <Page
      title="Change sets"
      about="Edits of many campaigns: what each changed, and a way back. Kept for 90 days."
    >
      <Card isFlush className="overflow-hidden md:overflow-visible">
        <DataTable
          label="Change sets"
          columns={columnsWith(setOpenId)}
          {...list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={History}
              title="No edits of many campaigns yet"
              text="Select campaigns in the list and change them together: you see every change before it is made, and can undo them as one."
            />
          }
        />
      </Card>
      {openId && <ChangeSetDialog id={openId} onClose={() => setOpenId(undefined)} />}
    </Page>
  )
}

const columnsWith = (open: (id: string) => void): Column<ChangeSet>[] => [
  {
    name: 'title',
    label: 'Change',
    cell: ({ id, title }) => (
      <Button look="ghost" className="-ml-3 max-w-full" onClick={() => open(id)}>
        <span className="truncate">{title}</span>
      </Button>
    ),
  },
  {
    name: 'state',
    label: 'State',
    width: '6.5rem',
    cell: (set) => (
      <Badge tone={STATES[set.state].tone}>
        {STATES[set.state].text}
        {isWorking(set) && '…'}
      </Badge>
    ),
  },
  { name: 'result', label: 'Result', from: 'md', cell: saySet },
  { name: 'author', label: 'By', width: '10rem', from: 'lg', cell: ({ authorName }) => authorName },
  {
    name: 'createdAt',
    label: 'When',
    width: '8rem',
    from: 'sm',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
]
