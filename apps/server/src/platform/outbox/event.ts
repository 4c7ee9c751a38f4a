/** An event to publish after its transaction has committed. */
export interface OutboxEvent {
  /** From `Ids`; receivers use it to drop duplicates. */
  readonly id: string
  /** Event type with the version of its data: `campaign.state-changed.v1`. */
  readonly type: string
  /** The row it is about. Events of one subject are delivered in the order of their transactions. */
  readonly subject: string
  readonly time: Date
  readonly data: unknown
}

/** The JSON form of CloudEvents 1.0. */
export interface CloudEvent {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly data: unknown
}

const TYPE = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+\.v[1-9][0-9]*$/

export function refuseBadType({ type }: OutboxEvent): void {
  if (TYPE.test(type)) return
  throw new Error(`"${type}" is no event type: write <noun>.<what-happened>.v<version>`)
}

export const toCloudEvent = (event: OutboxEvent, source: string): CloudEvent => ({
  specversion: '1.0',
  id: event.id,
  source,
  type: event.type,
  subject: event.subject,
  time: event.time.toISOString(),
  datacontenttype: 'application/json',
  data: event.data,
})
