import type { Topic } from '@placard/contract/notices'

/** Rules of notices: the event type of a call, and when a notice is given up. */

export type Way = 'mail' | 'webhook'

/** The topic of a notice: one that recipients subscribe to, a saved report, or the greeting. */
export type NoticeTopic = Topic | 'report' | 'greeting'

/** Attempts per notice, including the first. */
export const ATTEMPTS_MAX = 8

const TYPES: Readonly<Record<NoticeTopic, string>> = {
  greeting: 'recipient.created.v1',
  report: 'report.delivered.v1',
  'under-delivery': 'alert.opened.v1',
  'exhausted-early': 'alert.opened.v1',
  'ctr-collapse': 'alert.opened.v1',
  'sync-failing': 'alert.opened.v1',
  'geo-review': 'geo.review-recommended.v1',
  'geo-session': 'geo.session-waiting.v1',
  proposals: 'proposal.changed.v1',
  'conversion-held': 'conversion.held.v1',
  'film-errors': 'film.failing.v1',
  'site-domain': 'site.domain-unproven.v1',
}

/** The event type of a call. */
export const eventTypeOf = (topic: NoticeTopic): string => TYPES[topic]

/** A recipient's addresses, and those that have agreed. */
export interface Ways {
  readonly mailTo: readonly string[]
  readonly webhookUrl: string | null
  readonly confirmedMail: readonly string[]
  readonly confirmedWebhook: string | null
}

/** The addresses that have agreed. A changed address has not. */
export const confirmedWays = (ways: Ways): Pick<Ways, 'mailTo' | 'webhookUrl'> => ({
  mailTo: ways.mailTo.filter((address) => ways.confirmedMail.includes(address)),
  webhookUrl: ways.webhookUrl === ways.confirmedWebhook ? ways.webhookUrl : null,
})

/** The addresses that have not agreed yet. */
export const unconfirmedWays = (ways: Ways): Pick<Ways, 'mailTo' | 'webhookUrl'> => ({
  mailTo: ways.mailTo.filter((address) => !ways.confirmedMail.includes(address)),
  webhookUrl: ways.webhookUrl === ways.confirmedWebhook ? null : ways.webhookUrl,
})

/** The ways by which a recipient can be reached. */
export const waysTo = (recipient: {
  readonly mailTo: readonly string[]
  readonly webhookUrl?: string | null | undefined
}): readonly Way[] => [
  ...(recipient.mailTo.length > 0 ? (['mail'] as const) : []),
  ...(recipient.webhookUrl ? (['webhook'] as const) : []),
]
