import { PlacardProblem } from '@placard/client'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { sayProblem } from '../../api/problem.ts'
import type { Campaign } from '../../api/types.ts'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'
import { STATUS_CHANGES, type StatusChange, undoOf } from './actions.ts'

export const TOUCHED = ['/admin/campaigns', '/admin/budget', '/reports', '/admin/audit-log']

export interface StatusChangeResult {
  readonly done: readonly Campaign[]
  readonly refused: readonly { readonly campaign: Campaign; readonly why: string }[]
}

/** Changes campaigns one after the other. A refusal of one does not stop the others. */
async function changeAll({
  campaigns,
  change,
}: {
  campaigns: readonly Campaign[]
  change: StatusChange
}): Promise<StatusChangeResult> {
  const done: Campaign[] = []
  const refused: { campaign: Campaign; why: string }[] = []
  for (const campaign of campaigns) {
    try {
      await api.post(`/admin/campaigns/${campaign.id}/${change}`)
      done.push(campaign)
    } catch (error) {
      const { title, detail } = sayProblem(error)
      refused.push({ campaign, why: detail ?? title })
    }
  }
  return { done, refused }
}

/** Changes the status of campaigns and reports the result. A pause or a start can be undone. */
export function useStatusChange() {
  const sending = useChange(changeAll, { touches: TOUCHED })
  const change = (campaigns: readonly Campaign[], how: StatusChange, isUndo = false): void =>
    sending.mutate(
      { campaigns, change: how },
      {
        onSuccess: ({ done, refused }) => {
          const back = undoOf(how)
          const canUndo = back && !isUndo
          if (done.length > 0) {
            notify(
              `${namesOf(done)} ${STATUS_CHANGES[how].done}.`,
              canUndo ? () => change(done, back, true) : undefined,
            )
          }
          for (const { campaign, why } of refused.slice(0, 2)) notifyProblem(refusal(campaign, why))
        },
        onError: notifyProblem,
      },
    )
  return { change, isBusy: sending.isPending }
}

const namesOf = (campaigns: readonly Campaign[]) =>
  campaigns.length === 1 ? `“${campaigns[0]!.name}” is` : `${campaigns.length} campaigns are`

const refusal = ({ name }: Campaign, why: string) =>
  new PlacardProblem({
    status: 409,
    code: 'REFUSED',
    title: `“${name}” was not changed`,
    detail: why,
  })

export function useDeleteCampaign() {
  return useChange((id: string) => api.delete(`/admin/campaigns/${id}`), { touches: TOUCHED })
}
