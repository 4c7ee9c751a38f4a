import { CloudCheck, CloudOff, LoaderCircle } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import type { KeptState } from './keep-draft.ts'

/** Whether the server has what was typed. */
export function KeptNote({ state }: { readonly state: KeptState }) {
  if (state === 'other') {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-3 rounded-md bg-warn-soft px-3 py-2 text-warn"
      >
        <p className="flex-1">
          This booking was changed in another tab or by somebody else. What you type here is no
          longer kept.
        </p>
        <Button onClick={() => location.reload()}>Load that version</Button>
      </div>
    )
  }
  const { icon: Icon, text } = SAID[state]
  return (
    <p role="status" className="flex items-center gap-1.5 text-xs text-ink-faint">
      <Icon className="size-3.5" aria-hidden /> {text}
    </p>
  )
}

const SAID = {
  kept: { icon: CloudCheck, text: 'Kept. You can leave and come back.' },
  saving: { icon: LoaderCircle, text: 'Keeping …' },
  failed: {
    icon: CloudOff,
    text: 'Not kept: the server did not answer. The next change tries again.',
  },
} as const
