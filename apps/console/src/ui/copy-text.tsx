import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'

const SAID_MS = 2_000

/** Text that is meant to be taken along. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SAID_MS)
  }
  return (
    <div className="relative">
      <textarea
        aria-label={label}
        readOnly
        value={text}
        rows={Math.min(8, text.split('\n').length + 2)}
        onFocus={({ target }) => target.select()}
        className="w-full resize-none rounded-md border bg-sunken p-3 pr-24 font-mono text-xs"
      />
      <div className="absolute top-2 right-2">
        <Button icon={isCopied ? Check : Copy} onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  )
}
