import { PlacardProblem } from '@placard/client'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { sayProblem } from '../../api/problem.ts'
import type { Campaign } from '../../api/types.ts'
import { tell, tellProblem } from '../../ui/toast.tsx'

export type Turn = 'activate' | 'pause' | 'end' | 'cancel' | 'schedule' | 'unschedule'

export const TOUCHED = ['/admin/campaigns', '/admin/budget', '/reports', '/admin/audit-log']

/** What people call each turn, and which states it starts from; the server has the last word. */
export const TURNS: Readonly<
  Record<
    Turn,
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

export interface TurnResult {
  readonly done: readonly Campaign[]
  readonly refused: readonly { readonly campaign: Campaign; readonly why: string }[]
}

/** Turns campaigns one after the other: what one refuses does not hold up the rest. */
async function turnAll({
  campaigns,
  turn,
}: {
  campaigns: readonly Campaign[]
  turn: Turn
}): Promise<TurnResult> {
  const done: Campaign[] = []
  const refused: { campaign: Campaign; why: string }[] = []
  for (const campaign of campaigns) {
    try {
      await api.post(`/admin/campaigns/${campaign.id}/${turn}`)
      done.push(campaign)
    } catch (error) {
      const { title, detail } = sayProblem(error)
      refused.push({ campaign, why: detail ?? title })
    }
  }
  return { done, refused }
}

/** Turns campaigns and says what came of it; a pause or a start can be taken back. */
export function useTurn() {
  const change = useChange(turnAll, { touches: TOUCHED })
  const turn = (campaigns: readonly Campaign[], how: Turn, isUndo = false): void =>
    change.mutate(
      { campaigns, turn: how },
      {
        onSuccess: ({ done, refused }) => {
          const back = how === 'pause' ? 'activate' : how === 'activate' ? 'pause' : undefined
          const canUndo = back && !isUndo
          if (done.length > 0) {
            tell(
              `${namesOf(done)} ${TURNS[how].done}.`,
              canUndo ? () => turn(done, back, true) : undefined,
            )
          }
          for (const { campaign, why } of refused.slice(0, 2)) tellProblem(refusal(campaign, why))
        },
        onError: tellProblem,
      },
    )
  return { turn, isBusy: change.isPending }
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
