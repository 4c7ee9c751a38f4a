import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from '../overlays/dialog.tsx'
import { ProblemNote } from '../layout/states.tsx'

interface FormDialogProps {
  readonly title: string
  readonly about?: ReactNode
  /** The text of the submit button. */
  readonly action: string
  readonly isDangerous?: boolean
  /** The mutation: whether it is running, and its error. */
  readonly of: { readonly isPending: boolean; readonly error: unknown }
  /** False while the form has nothing to send. */
  readonly isReady?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** An alternative to "Cancel", beside the submit button. */
  readonly otherwise?: ReactNode
  readonly children: ReactNode
}

/** A dialog with a few fields. It stays open while the server refuses. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    about,
    action,
    of,
    isReady = true,
    isDangerous,
    onSubmit,
    onClose,
    otherwise,
  } = props
  return (
    <Dialog title={title} about={about} isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {props.children}
        <ProblemNote error={of.error} />
        <div className="flex flex-wrap justify-end gap-2">
          {otherwise || <Button onClick={onClose}>Cancel</Button>}
          <Button
            type="submit"
            look={isDangerous ? 'danger' : 'primary'}
            isBusy={of.isPending}
            disabled={!isReady}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
