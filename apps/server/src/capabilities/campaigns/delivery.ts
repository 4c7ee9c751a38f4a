import type { CampaignState } from './campaign.ts'

/** What keeps a campaign from delivering by its status alone. */
type IdleState = Exclude<CampaignState, 'active'>

export const IDLE_TEXT: { readonly [State in IdleState]: string } = {
  draft: 'it is a draft that nobody has started',
  scheduled: 'it is scheduled',
  paused: 'it is paused',
  ended: 'it has ended',
  cancelled: 'it is cancelled',
}

export const NOT_CHECKED_TEXT = 'it was started a moment ago and is being checked'
export const OTHER_CHANNEL_TEXT = 'its channel reports how it delivers'

/** The instant in words, for a campaign that waits for its start. */
export const startText = (startsAt: Date | undefined): string =>
  startsAt === undefined ? 'later' : `${startsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
