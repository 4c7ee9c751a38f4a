import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange } from '../../../api/hooks.ts'
import type { ChangeSet } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/forms/fields.tsx'
import { ProblemNote } from '../../../ui/layout/states.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { notify, notifyProblem } from '../../../ui/overlays/toast.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { ChangeSetDialog } from './change-set-dialog.tsx'
import { ImportFaults } from './import-faults.tsx'

type Filter = Readonly<Record<string, string>>

/** The filtered list as a file, which can be changed and imported again. */
export function ExportButton({ filter }: { readonly filter: Filter }) {
  const read = useChange(() => api.file('/admin/csv/campaigns', filter), { touches: [] })
  return (
    <Button
      icon={Download}
      isBusy={read.isPending}
      onClick={() =>
        read.mutate(undefined, {
          onSuccess: (file) => {
            saveFile(new File([file], 'campaigns.csv', { type: 'text/csv' }))
            notify('campaigns.csv is saved. Change it and import it again.')
          },
          onError: notifyProblem,
        })
      }
    >
      Export
    </Button>
  )
}

const THINGS = [
  { value: 'campaigns', label: 'Campaigns' },
  { value: 'ads', label: 'Ads' },
] as const

/** Imports a file: its faults by line and column, or a preview of what it changes. */
export function ImportButton() {
  const [isOpen, setOpen] = useState(false)
  const [changeSetId, setChangeSetId] = useState<string>()
  return (
    <>
      <Button icon={Upload} onClick={() => setOpen(true)}>
        Import
      </Button>
      {isOpen && (
        <ImportDialog
          onClose={() => setOpen(false)}
          onDraft={(id) => {
            setOpen(false)
            setChangeSetId(id)
          }}
        />
      )}
      {changeSetId && (
        <ChangeSetDialog id={changeSetId} onClose={() => setChangeSetId(undefined)} />
      )}
    </>
  )
}

interface ImportProps {
  readonly onClose: () => void
  readonly onDraft: (id: string) => void
}

function ImportDialog({ onClose, onDraft }: ImportProps) {
  const [things, setThings] = useState<(typeof THINGS)[number]['value']>('campaigns')
  const chooser = useRef<HTMLInputElement>(null)
  const draft = useChange(
    async (file: File) => api.post<ChangeSet>(`/admin/csv/${things}`, { csv: await file.text() }),
    { touches: ['/admin/change-sets'] },
  )
  return (
    <Dialog
      title="Import a CSV file"
      about="Rows with an id are changed where they differ, rows without one are made. You see every change before it is made."
      isOpen
      isWide
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <SelectField label="The file has" value={things} onValue={setThings} options={THINGS} />
        <input
          ref={chooser}
          type="file"
          accept=".csv,text/csv"
          aria-label="File"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) draft.mutate(file, { onSuccess: ({ id }) => onDraft(id) })
            target.value = ''
          }}
        />
        <ImportFaults error={draft.error} otherwise={<ProblemNote error={draft.error} />} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            icon={Upload}
            isBusy={draft.isPending}
            onClick={() => chooser.current?.click()}
          >
            Choose a file
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
