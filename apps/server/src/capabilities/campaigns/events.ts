import type { CampaignEvents } from './operations-campaigns.ts'
import type { Ids } from '../../platform/ids.ts'
import { appendEvent } from '../../platform/outbox/store.ts'

/** Events about campaigns, written in the transaction of the change. */
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
