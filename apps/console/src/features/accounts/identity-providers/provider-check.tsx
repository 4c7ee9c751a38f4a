import type { IdentityProviderCheck } from '@placard/contract/identity-providers'
import type { Static } from 'typebox'
import { usePostRead } from '../../../api/hooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { Answer } from '../../../ui/layout/states.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { type Provider, PROVIDERS } from './draft.ts'

type Check = Static<typeof IdentityProviderCheck>

interface CheckProps {
  readonly provider: Provider
  readonly onClose: () => void
}

/** Whether the provider answers, and what has to be entered there. */
export function ProviderCheck({ provider, onClose }: CheckProps) {
  const check = usePostRead<Check>(`${PROVIDERS}/${provider.id}/check`, {})
  return (
    <Dialog title={provider.name} about={provider.issuer} isOpen onClose={onClose}>
      <Answer of={check}>{(found) => <Found {...found} />}</Answer>
      <div className="mt-4 flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

function Found({ redirectAddress, signOutAddress }: Check) {
  if (redirectAddress === null) {
    return (
      <p>
        The provider answers. But nobody can come back from it before the setting PUBLIC_URL says
        under which address browsers reach Placard.
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <p>The provider answers. Enter these addresses there, if you have not yet:</p>
      <Address label="Redirect address" address={redirectAddress} />
      {signOutAddress && <Address label="Address after sign-out" address={signOutAddress} />}
    </div>
  )
}

const Address = ({ label, address }: { readonly label: string; readonly address: string }) => (
  <div className="flex flex-col gap-1">
    <span className="text-xs font-medium text-ink-soft">{label}</span>
    <CopyText label={label} text={address} />
  </div>
)
