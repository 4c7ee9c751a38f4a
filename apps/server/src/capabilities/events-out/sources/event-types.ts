/** Every event we publish. A type carries the version of its data. */
export const EVENT_TYPES = [
  'ad.served.v1',
  'ads.impression.tracked.v1',
  'ads.click.tracked.v1',
  'ads.conversion.tracked.v1',
  'spend.updated.v1',
  'budget.exhausted.v1',
  'campaign.state-changed.v1',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Sent only to a new endpoint, so that its owner sees whether it works. */
export const ENDPOINT_CREATED = 'webhook.endpoint-created.v1'
