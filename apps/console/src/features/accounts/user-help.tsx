import type { User as UserSchema } from '@placard/contract/accounts'
import { KeyRound, LogOut, Mail, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { TextField } from '../../ui/forms/fields.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import type { MenuItem } from '../../ui/overlays/menu.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { type UserLink, UserLinks } from './user-links.tsx'

export type User = Static<typeof UserSchema>

export const USERS = '/admin/users'
export const ROLES = [
  { value: 'operator', label: 'Operator: runs the platform' },
  { value: 'ad-ops', label: 'Ad operations: books campaigns and manages inventory' },
  { value: 'advertiser', label: 'Advertiser: runs own campaigns' },
  { value: 'publisher', label: 'Publisher: manages own sites' },
  { value: 'trust', label: 'Trust: reviews account security' },
]

type Open = { readonly what: 'email' | 'factors'; readonly user: User }

/** What an operator can do for a user, and the dialogs for it. */
export function useUserHelp() {
  const [open, setOpen] = useState<Open>()
  const [links, setLinks] = useState<readonly UserLink[]>()
  const send = useChange(({ id }: User) => api.post<UserLink>(`${USERS}/${id}/password-link`), {
    touches: [],
  })
  const end = useChange(({ id }: User) => api.post(`${USERS}/${id}/end-sessions`), { touches: [] })
  const onError = notifyProblem
  const itemsFor = (user: User): MenuItem[] => [
    { label: 'Change e-mail', icon: Mail, onSelect: () => setOpen({ what: 'email', user }) },
    {
      label: 'Send a password link',
      icon: KeyRound,
      onSelect: () => send.mutate(user, { onSuccess: (link) => setLinks([link]), onError }),
    },
    {
      label: 'End all sessions',
      icon: LogOut,
      onSelect: () =>
        end.mutate(user, {
          onSuccess: () => notify(`${user.displayName} is signed out everywhere.`),
          onError,
        }),
    },
    ...(user.hasFactor
      ? [
          {
            label: 'Reset two-step sign-in',
            icon: ShieldOff,
            onSelect: () => setOpen({ what: 'factors', user }),
          },
        ]
      : []),
  ]
  const close = () => setOpen(undefined)
  const dialog = links ? (
    <UserLinks links={links} onClose={() => setLinks(undefined)} />
  ) : open?.what === 'factors' ? (
    <ResetFactors user={open.user} onClose={close} />
  ) : open ? (
    <ChangeEmail
      user={open.user}
      onClose={close}
      onLinks={(links) => {
        close()
        setLinks(links)
      }}
    />
  ) : null
  return { itemsFor, dialog }
}

interface OfUser {
  readonly user: User
  readonly onClose: () => void
}

/** For a user who lost the phone. A stranger who asks for it must not get it. */
function ResetFactors({ user, onClose }: OfUser) {
  const reset = useChange(() => api.post(`${USERS}/${user.id}/reset-factors`), { touches: [USERS] })
  const onSuccess = () => {
    onClose()
    notify(`${user.displayName} signs in with the password alone, and gets a mail.`)
  }
  return (
    <Confirm
      title={`Reset two-step sign-in of ${user.displayName}?`}
      text="Their authenticator apps, passkeys and recovery codes are removed and all sessions end. Make sure that it is really them who ask: call them back."
      action="Reset"
      isDangerous
      isBusy={reset.isPending}
      error={reset.error}
      isOpen
      onClose={onClose}
      onConfirm={() => reset.mutate(undefined, { onSuccess })}
    />
  )
}

interface ChangeEmailProps extends OfUser {
  readonly onLinks: (links: readonly UserLink[]) => void
}

function ChangeEmail({ user, onClose, onLinks }: ChangeEmailProps) {
  const ask = useChange(
    (body: object) => api.post<{ items: UserLink[] }>(`${USERS}/${user.id}/email`, body),
    { touches: [USERS] },
  )
  const { values, field } = useForm({ email: '' }, ask.error)
  return (
    <FormDialog
      title={`E-mail of ${user.displayName}`}
      about={`It changes after both addresses are confirmed: ${user.email} and the new one.`}
      action="Send both links"
      of={ask}
      onSubmit={() => ask.mutate(values, { onSuccess: ({ items }) => onLinks(items) })}
      onClose={onClose}
    >
      <TextField label="New e-mail" type="email" required {...field('email')} />
    </FormDialog>
  )
}
