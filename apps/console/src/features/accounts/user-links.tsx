import type { HandedLink as Schema } from '@placard/contract/accounts'
import type { Static } from 'typebox'
import { When } from '../../ui/format/amounts.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

export type UserLink = Static<typeof Schema>

interface UserLinksProps {
  readonly links: readonly UserLink[]
  readonly onClose: () => void
}

const isKnown = ({ link, sentTo }: UserLink) => link !== null || sentTo !== null

/** Mailed, shown to an operator, or left to one. */
function introductionTo(links: readonly UserLink[]) {
  if (links.some(({ link }) => link !== null)) {
    return {
      title: 'Copy this link',
      about:
        'Mail is not set up. The link is shown only now and works once. Send it to the user by a channel you trust.',
    }
  }
  if (links.every(({ sentTo }) => sentTo !== null)) return { title: 'The mail is on its way' }
  return {
    title: 'An operator has to help',
    about:
      'Mail is not set up, so nobody was asked to confirm this address. Ask an operator to request the confirmation again and to pass the link on.',
  }
}

/** Where the link was mailed. If no mail server is set, the link itself, shown once. */
export function UserLinks({ links, onClose }: UserLinksProps) {
  return (
    <Dialog {...introductionTo(links)} isOpen onClose={onClose}>
      <div className="flex flex-col gap-3">
        {links.filter(isKnown).map(({ link, sentTo, expiresAt }) => (
          <div key={link ?? sentTo}>
            {link === null ? (
              <p>A link was sent to {sentTo}.</p>
            ) : (
              <CopyText label="Link" text={new URL(link, location.origin).href} />
            )}
            <p className="text-xs text-ink-faint">
              It works until <When at={expiresAt} isExact />.
            </p>
          </div>
        ))}
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
