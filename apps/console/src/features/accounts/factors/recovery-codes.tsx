import { Copy, Download } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { notify } from '../../../ui/overlays/toast.tsx'

/** Recovery codes, shown once: to copy, save or print. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  const copy = () => void navigator.clipboard?.writeText(text).then(() => notify('Copied'))
  const download = () => {
    const words = `Recovery codes for Placard at ${location.host}. Each works once.\n\n${text}`
    saveFile(new File([words], 'placard-recovery-codes.txt', { type: 'text/plain' }))
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-ink-soft">
        With one of these codes you get in if you lose your phone or your passkey. Each works once.
        They are shown only now: save them where you find them without this device.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1 rounded-md bg-sunken p-3 font-mono text-xs sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={Copy} onClick={copy}>
          Copy
        </Button>
        <Button icon={Download} onClick={download}>
          Download
        </Button>
      </div>
    </div>
  )
}
