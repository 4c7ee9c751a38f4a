import type { Recipient as RecipientSchema } from '@placard/contract/notices'
import { MailQuestion } from 'lucide-react'
import { useState } from 'react'
import type { Static } from 'typebox'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { IconButton } from '../../ui/button.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { type UserLink, UserLinks } from '../accounts/user-links.tsx'

export type Recipient = Static<typeof RecipientSchema>

export const RECIPIENTS = '/admin/recipients'

/** Whether an address has not agreed yet. */
export const waitsForConfirmation = ({
  mailTo,
  confirmedMail,
  webhookUrl,
  confirmedWebhook,
}: Recipient) =>
  mailTo.some((address) => !confirmedMail.includes(address)) || webhookUrl !== confirmedWebhook

interface RecipientConfirmationProps {
  readonly recipient: Recipient | undefined
  readonly canAsk: boolean
}

/** Shows that an address has not confirmed, and sends a new request. */
export function RecipientConfirmation({ recipient, canAsk }: RecipientConfirmationProps) {
  const [links, setLinks] = useState<readonly UserLink[]>()
  const ask = useChange(
    (id: string) => api.post<{ items: readonly UserLink[] }>(`${RECIPIENTS}/${id}/confirmation`),
    { touches: [RECIPIENTS] },
  )
  if (links) return <UserLinks links={links} onClose={() => setLinks(undefined)} />
  if (!recipient || !waitsForConfirmation(recipient)) return null
  return (
    <span className="flex items-center gap-1 text-xs text-warn">
      {recipient.name} waits for confirmation
      {canAsk && (
        <IconButton
          label={`Ask ${recipient.name} again`}
          icon={MailQuestion}
          onClick={() =>
            ask.mutate(recipient.id, {
              onSuccess: ({ items }) =>
                items.length > 0 ? setLinks(items) : notify('The call is made again.'),
              onError: notifyProblem,
            })
          }
        />
      )}
    </span>
  )
}
