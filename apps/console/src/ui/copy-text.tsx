import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'

const SAID_MS = 2_000
const CHARACTERS_PER_ROW = 56

/** Rows that the text needs in a card of half the page's width. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / CHARACTERS_PER_ROW)), 0)

/** Text to copy, with its button below. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SAID_MS)
  }
  return (
    <div className="flex flex-col items-end gap-2">
      <textarea
        aria-label={label}
        readOnly
        value={text}
        rows={Math.min(10, rowsOf(text))}
        onFocus={({ target }) => target.select()}
        className="w-full resize-none rounded-md border bg-sunken p-3 font-mono text-xs"
      />
      <Button icon={isCopied ? Check : Copy} onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
