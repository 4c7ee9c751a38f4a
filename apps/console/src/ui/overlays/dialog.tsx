import { AlertDialog, Dialog as RadixDialog } from 'radix-ui'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../button.tsx'
import { cx } from '../cx.ts'
import { ProblemNote } from '../layout/states.tsx'

const VEIL = 'fixed inset-0 z-40 bg-[#0b0c10]/40 appear'
const SHEET =
  'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-xl bg-surface p-5 shadow-float'

interface DialogProps {
  readonly title: string
  readonly about?: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  /** For a list of rows. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A dialog. */
export function Dialog({ title, about, isOpen, onClose, isWide, children }: DialogProps) {
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={VEIL} />
        <RadixDialog.Content
          className={cx(SHEET, isWide ? 'max-w-3xl' : 'max-w-lg')}
          {...(!about && { 'aria-describedby': undefined })}
        >
          <div className="mb-4 flex items-start gap-3">
            <div className="flex-1">
              <RadixDialog.Title className="text-lg font-semibold">{title}</RadixDialog.Title>
              {about && (
                <RadixDialog.Description className="text-ink-faint">
                  {about}
                </RadixDialog.Description>
              )}
            </div>
            <RadixDialog.Close asChild>
              <IconButton label="Close" icon={X} />
            </RadixDialog.Close>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

interface ConfirmProps {
  readonly title: string
  /** The consequence, and whether it can be undone. */
  readonly text: ReactNode
  readonly action: string
  readonly isDangerous?: boolean
  readonly isBusy?: boolean
  readonly error?: unknown
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly children?: ReactNode
}

/** Asks for confirmation before an action that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, text, action, isDangerous = false, isBusy = false, error, isOpen, onClose } = props
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={VEIL} />
        <AlertDialog.Content className={cx(SHEET, 'max-w-lg')}>
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-1 text-ink-soft">{text}</div>
          </AlertDialog.Description>
          {props.children && <div className="mt-4">{props.children}</div>}
          <div className="mt-4 empty:hidden">
            <ProblemNote error={error} />
          </div>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button
              look={isDangerous ? 'danger' : 'primary'}
              isBusy={isBusy}
              onClick={props.onConfirm}
            >
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
