import type { Topic } from '@placard/contract/notices'

/** Rules of notices: what a call says of them, and when one is given up. */

export type Way = 'mail' | 'webhook'

/** What is told: what recipients ask for, reports that name them, and that they are there. */
export type Matter = Topic | 'report' | 'greeting'

/** How many times a notice is tried in all. */
export const ATTEMPTS_MAX = 8

const TYPES: Readonly<Record<Matter, string>> = {
  greeting: 'recipient.created.v1',
  report: 'report.delivered.v1',
  'under-delivery': 'alert.opened.v1',
  'exhausted-early': 'alert.opened.v1',
  'ctr-collapse': 'alert.opened.v1',
  'sync-failing': 'alert.opened.v1',
  'geo-review': 'geo.review-recommended.v1',
  proposals: 'proposal.changed.v1',
  'conversion-held': 'conversion.held.v1',
  'film-errors': 'film.failing.v1',
}

/** The type of the event that a call carries. */
export const eventTypeOf = (topic: Matter): string => TYPES[topic]

/** What a recipient says of itself, and which of it has agreed to be told. */
export interface Ways {
  readonly mailTo: readonly string[]
  readonly webhookUrl: string | null
  readonly confirmedMail: readonly string[]
  readonly confirmedWebhook: string | null
}

/** Only the ways that have agreed; an address that was changed since has not. */
export const confirmedWays = (ways: Ways): Pick<Ways, 'mailTo' | 'webhookUrl'> => ({
  mailTo: ways.mailTo.filter((address) => ways.confirmedMail.includes(address)),
  webhookUrl: ways.webhookUrl === ways.confirmedWebhook ? ways.webhookUrl : null,
})

/** What has not agreed yet. */
export const unconfirmedWays = (ways: Ways): Pick<Ways, 'mailTo' | 'webhookUrl'> => ({
  mailTo: ways.mailTo.filter((address) => !ways.confirmedMail.includes(address)),
  webhookUrl: ways.webhookUrl === ways.confirmedWebhook ? null : ways.webhookUrl,
})

/** Which ways lead to a recipient. */
export const waysTo = (recipient: {
  readonly mailTo: readonly string[]
  readonly webhookUrl?: string | null | undefined
}): readonly Way[] => [
  ...(recipient.mailTo.length > 0 ? (['mail'] as const) : []),
  ...(recipient.webhookUrl ? (['webhook'] as const) : []),
]
