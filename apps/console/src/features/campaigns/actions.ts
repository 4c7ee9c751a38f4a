import type { Campaign } from '../../api/types.ts'

/** The actions a campaign offers in each status. Pure. The server has the last word. */
export type StatusChange = 'activate' | 'pause' | 'end' | 'cancel' | 'schedule' | 'unschedule'

type Status = Campaign['status']

export const STATUS_CHANGES: Readonly<
  Record<
    StatusChange,
    { readonly label: string; readonly done: string; readonly from: readonly Status[] }
  >
> = {
  activate: { label: 'Start', done: 'started', from: ['draft', 'scheduled', 'paused'] },
  pause: { label: 'Pause', done: 'paused', from: ['active'] },
  schedule: { label: 'Schedule', done: 'scheduled', from: ['draft', 'paused'] },
  unschedule: { label: 'Back to draft', done: 'moved back to draft', from: ['scheduled'] },
  end: { label: 'End', done: 'ended', from: ['active', 'paused'] },
  cancel: { label: 'Cancel', done: 'cancelled', from: ['draft', 'scheduled', 'active', 'paused'] },
}

export const canChange = (change: StatusChange, { status }: Pick<Campaign, 'status'>): boolean =>
  STATUS_CHANGES[change].from.includes(status)

const IN_MENU: readonly StatusChange[] = ['schedule', 'unschedule', 'end', 'cancel']

interface Actions {
  /** The button beside the menu. */
  readonly main: 'activate' | 'pause' | undefined
  readonly menu: readonly StatusChange[]
  readonly canDelete: boolean
}

export const actionsOf = (campaign: Pick<Campaign, 'status'>): Actions => ({
  main: canChange('pause', campaign)
    ? 'pause'
    : canChange('activate', campaign)
      ? 'activate'
      : undefined,
  menu: IN_MENU.filter((change) => canChange(change, campaign)),
  canDelete: DELETABLE.has(campaign.status),
})

const DELETABLE: ReadonlySet<Status> = new Set(['draft', 'ended', 'cancelled'])

/** These ask for confirmation first, because the campaign cannot be started again. */
export const isFinal = (change: StatusChange): boolean => change === 'end' || change === 'cancel'

/** The change that takes another one back. */
export const undoOf = (change: StatusChange): StatusChange | undefined =>
  change === 'pause' ? 'activate' : change === 'activate' ? 'pause' : undefined

/** What the confirmation of a final action says. */
export const FINAL_TEXT =
  'Delivery stops at once and the campaign cannot be started again. Its figures stay in the reports.'
export const DELETE_TEXT =
  'The campaign, its ad sets and its ads disappear from all lists. Its figures stay in the reports.'
