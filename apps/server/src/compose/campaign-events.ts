import type { CampaignEvents } from '../capabilities/campaigns/index.ts'
import type { Ids } from '../platform/ids.ts'
import { appendEvent } from '../platform/outbox/store.ts'

/** What the outside is told about campaigns, written with the change itself. */
export const campaignEvents = (ids: Ids): CampaignEvents => ({
  campaignStateChanged: (db, { changedAt, ...change }) =>
    appendEvent(db, {
      id: ids.next(),
      type: 'campaign.state-changed.v1',
      subject: change.campaignId,
      time: changedAt,
      data: change,
    }),
})
