import { MailQuestion } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { Things } from '../../things/things.tsx'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import {
  type Recipient,
  RECIPIENTS,
  waitsForConfirmation,
} from '../reports/recipient-confirmation.tsx'
import { recipientThing } from './recipient-thing.tsx'
import { type UserLink, UserLinks } from './user-links.tsx'

/** Who is told when something needs attention. */
export function Recipients() {
  const [links, setLinks] = useState<readonly UserLink[]>()
  const ask = useChange(
    ({ id }: Recipient) =>
      api.post<{ items: readonly UserLink[] }>(`${RECIPIENTS}/${id}/confirmation`),
    { touches: [RECIPIENTS] },
  )
  const askAgain = (recipient: Recipient) =>
    ask.mutate(recipient, {
      onSuccess: ({ items }) =>
        items.length > 0 ? setLinks(items) : notify('The call is made again.'),
      onError: notifyProblem,
    })
  return (
    <>
      <Things
        of={recipientThing}
        actions={(recipient) =>
          waitsForConfirmation(recipient)
            ? [{ label: 'Ask again', icon: MailQuestion, onSelect: () => askAgain(recipient) }]
            : []
        }
      />
      {links && <UserLinks links={links} onClose={() => setLinks(undefined)} />}
    </>
  )
}
