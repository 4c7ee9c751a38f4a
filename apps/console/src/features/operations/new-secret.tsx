import { Copy } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { notify } from '../../ui/overlays/toast.tsx'

interface ShownOnceProps {
  readonly what: 'key' | 'secret'
  readonly text: string
  readonly onClose: () => void
}

/** A secret that the server shows once. */
export function NewSecret({ what, text, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={`Save this ${what}`}
      about="It is shown only once. If you lose it, create a new one."
      isOpen
      onClose={onClose}
    >
      <p className="mb-4 rounded-md bg-sunken p-3 font-mono text-xs break-all select-all">{text}</p>
      <div className="flex justify-end gap-2">
        <Button
          icon={Copy}
          onClick={() => void navigator.clipboard?.writeText(text).then(() => notify('Copied'))}
        >
          Copy
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
