import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { canUsePasskeys } from '../../../api/passkey.ts'
import { session } from '../../../api/session.ts'
import type { SignInOptions } from '../../../api/types.ts'
import { SignInFrame } from '../../../shell/sign-in-frame.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { AddFactor } from './add-factor.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Replaces every page for a user who needs a second step and has none. */
export function MustSetUp({ onDone }: { readonly onDone: () => void }) {
  const options = useRead<SignInOptions>('/auth/options')
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) {
    return (
      <SignInFrame title="Save your recovery codes">
        <div className="flex flex-col gap-4">
          <RecoveryCodes codes={codes} />
          <Button look="primary" onClick={onDone}>
            I have saved them
          </Button>
        </div>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="Set up two-step sign-in">
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          Your account asks for a second step after the password. Choose one; then you can go on.
        </p>
        <AddFactor
          canAddPasskey={canUsePasskeys(options.data?.passkeyHost)}
          onAdded={({ recoveryCodes }) => (recoveryCodes ? setCodes(recoveryCodes) : onDone())}
        />
        <LinkButton onClick={() => void session.signOut()}>Sign out</LinkButton>
      </div>
    </SignInFrame>
  )
}
