import { KeyRound, Plus, ShieldCheck, Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useChange, useRead } from '../../../api/hooks.ts'
import { canUsePasskeys } from '../../../api/passkey.ts'
import type {
  AddedFactor,
  Factor,
  NewRecoveryCodes,
  OwnFactors,
  SignInOptions,
} from '../../../api/types.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { When } from '../../../ui/format/amounts.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Answer, EmptyState } from '../../../ui/layout/states.tsx'
import { Confirm, Dialog } from '../../../ui/overlays/dialog.tsx'
import { notify } from '../../../ui/overlays/toast.tsx'
import { AddFactor } from './add-factor.tsx'
import { FACTORS, useProven } from './proven.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** The user's own second step at sign-in. */
export function OwnFactorsPage() {
  const own = useRead<OwnFactors>(FACTORS)
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <Answer of={own}>
        {(factors) => (
          <>
            <FactorsCard factors={factors} onCodes={setCodes} />
            {factors.items.length > 0 && (
              <CodesCard left={factors.recoveryCodesLeft} onCodes={setCodes} />
            )}
          </>
        )}
      </Answer>
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </div>
  )
}

interface ShowsCodes {
  readonly onCodes: (codes: readonly string[]) => void
}

function FactorsCard({ factors, onCodes }: ShowsCodes & { readonly factors: OwnFactors }) {
  const { items, isRequired } = factors
  const [isAdding, setAdding] = useState(false)
  const isOn = items.length > 0
  return (
    <Card
      title="Two-step sign-in"
      hint="After your password we ask for something that only you have."
      actions={
        <>
          {isOn ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>}
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add
          </Button>
        </>
      }
    >
      {isOn ? (
        <ul className="flex flex-col divide-y">
          {items.map((factor) => (
            <FactorRow
              key={factor.id}
              factor={factor}
              isKept={isRequired && items.length === 1}
              isLast={items.length === 1}
            />
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={ShieldCheck}
          title="Your password alone opens your account"
          text="Add an authenticator app or a passkey, so that a stolen password alone lets nobody in."
        />
      )}
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={({ factor, recoveryCodes }) => {
            setAdding(false)
            notify(`${factor.name} was added.`)
            if (recoveryCodes) onCodes(recoveryCodes)
          }}
        />
      )}
    </Card>
  )
}

interface AddDialogProps {
  readonly onClose: () => void
  readonly onAdded: (added: AddedFactor) => void
}

function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const options = useRead<SignInOptions>('/auth/options')
  return (
    <Dialog title="Add a second step" isOpen onClose={onClose}>
      <AddFactor canAddPasskey={canUsePasskeys(options.data?.passkeyHost)} onAdded={onAdded} />
    </Dialog>
  )
}

const KINDS = {
  authenticator: { label: 'Authenticator app', Icon: Smartphone },
  passkey: { label: 'Passkey', Icon: KeyRound },
} as const

interface FactorRowProps {
  readonly factor: Factor
  /** The last one, in an account that requires one. */
  readonly isKept: boolean
  readonly isLast: boolean
}

function FactorRow({ factor, isKept, isLast }: FactorRowProps) {
  const { id, kind, name, createdAt, lastUsedAt } = factor
  const { label, Icon } = KINDS[kind]
  const [isAsking, setAsking] = useState(false)
  const proven = useProven()
  const remove = useChange(() => api.delete(`${FACTORS}/${id}`), { touches: [FACTORS] })
  const start = () => {
    setAsking(false)
    remove.mutate(undefined, {
      onSuccess: () => notify(`${name} was removed.`),
      onError: proven.onError(start),
    })
  }
  return (
    <li className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
      <Icon className="size-4 shrink-0 text-ink-faint" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-xs text-ink-faint">
          {label}, added <When at={createdAt} />
          {lastUsedAt && (
            <>
              , last used <When at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      {isKept ? (
        <span className="text-xs text-ink-faint">Required for you</span>
      ) : (
        <IconButton
          label={`Remove ${name}`}
          icon={Trash2}
          isBusy={remove.isPending}
          onClick={() => setAsking(true)}
        />
      )}
      <Confirm
        title={`Remove ${name}?`}
        text={
          isLast
            ? 'It is your only one: from then on your password alone opens your account, and your recovery codes no longer work.'
            : 'You can no longer sign in with it. Your others go on working.'
        }
        action="Remove"
        isDangerous
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={start}
      />
      {proven.dialog}
    </li>
  )
}

const FEW = 3

function CodesCard({ left, onCodes }: ShowsCodes & { readonly left: number }) {
  const proven = useProven()
  const renew = useChange(() => api.post<NewRecoveryCodes>('/me/recovery-codes'), {
    touches: [FACTORS],
  })
  const start = () =>
    renew.mutate(undefined, {
      onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
      onError: proven.onError(start),
    })
  return (
    <Card
      title="Recovery codes"
      hint="For the day on which you lose your phone or your passkey."
      actions={
        <Button isBusy={renew.isPending} onClick={start}>
          Make new codes
        </Button>
      }
    >
      <p className={left < FEW ? 'text-warn' : 'text-ink-soft'}>
        {left === 0 ? 'You have used all of them.' : `${left} unused.`} New codes replace the old
        ones.
      </p>
      {proven.dialog}
    </Card>
  )
}

interface CodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

const CodesDialog = ({ codes, onClose }: CodesDialogProps) => (
  <Dialog title="Save your recovery codes" isOpen onClose={onClose}>
    <RecoveryCodes codes={codes} />
    <div className="mt-4 flex justify-end">
      <Button look="primary" onClick={onClose}>
        I have saved them
      </Button>
    </div>
  </Dialog>
)
