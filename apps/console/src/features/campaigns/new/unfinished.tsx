import { Trash2 } from 'lucide-react'
import { api } from '../../../api/client.ts'
import { useChange, useList } from '../../../api/hooks.ts'
import type { CampaignDraft } from '../../../api/types.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { When } from '../../../ui/format/amounts.tsx'
import { notify, notifyProblem } from '../../../ui/overlays/toast.tsx'
import { DRAFTS } from './keep-draft.ts'

/** Bookings of this account that nobody has finished. */
export function Unfinished({ onOpen }: { readonly onOpen: (draft: CampaignDraft) => void }) {
  const { rows, hasMore, loadMore } = useList<CampaignDraft>(DRAFTS, {
    query: { own: true },
    pageSize: 5,
  })
  const remove = useChange((id: string) => api.delete(`${DRAFTS}/${id}`), { touches: [DRAFTS] })
  if (rows.length === 0) return null
  return (
    <Card title="Unfinished" hint="Kept as they were typed" isFlush>
      <ul>
        {rows.map((draft) => {
          const name = draft.form.name || 'Without a name'
          return (
            <li key={draft.id} className="flex items-center gap-2 px-4 py-2 not-last:border-b">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                <span className="block truncate text-xs text-ink-faint">
                  {draft.savedBy}, <When at={draft.updatedAt} />
                </span>
              </span>
              <Button onClick={() => onOpen(draft)}>Continue</Button>
              <IconButton
                label={`Throw “${name}” away`}
                icon={Trash2}
                onClick={() =>
                  remove.mutate(draft.id, {
                    onSuccess: () => notify(`“${name}” is thrown away.`),
                    onError: notifyProblem,
                  })
                }
              />
            </li>
          )
        })}
      </ul>
      {hasMore && (
        <div className="p-2 text-center">
          <Button look="ghost" onClick={loadMore}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}
