import { PlacardProblem } from '@placard/client'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { sayProblem } from '../../api/problem.ts'
import type { Campaign } from '../../api/types.ts'
import { notify, notifyProblem } from '../../ui/overlays/toast.tsx'

export type StatusChange = 'activate' | 'pause' | 'end' | 'cancel' | 'schedule' | 'unschedule'

export const TOUCHED = ['/admin/campaigns', '/admin/budget', '/reports', '/admin/audit-log']

/** What people call each turn, and which states it starts from; the server has the last word. */
export const STATUS_CHANGES: Readonly<
  Record<
    StatusChange,
    { readonly label: string; readonly done: string; readonly from: readonly Campaign['status'][] }
  >
> = {
  activate: { label: 'Start', done: 'started', from: ['draft', 'scheduled', 'paused'] },
  pause: { label: 'Pause', done: 'paused', from: ['active'] },
  schedule: { label: 'Schedule', done: 'scheduled', from: ['draft', 'paused'] },
  unschedule: { label: 'Back to draft', done: 'moved back to draft', from: ['scheduled'] },
  end: { label: 'End', done: 'ended', from: ['active', 'paused'] },
  cancel: { label: 'Cancel', done: 'cancelled', from: ['draft', 'scheduled', 'active', 'paused'] },
}

export interface StatusChangeResult {
  readonly done: readonly Campaign[]
  readonly refused: readonly { readonly campaign: Campaign; readonly why: string }[]
}

/** Turns campaigns one after the other: what one refuses does not hold up the rest. */
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
          const back = how === 'pause' ? 'activate' : how === 'activate' ? 'pause' : undefined
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
