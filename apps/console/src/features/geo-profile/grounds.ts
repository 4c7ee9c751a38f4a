import type { GeoProfile } from './timeline.ts'

type Ground = GeoProfile['block_actions'][number]['evidence']['grounds'][number]

const percent = (share: number) => `${Math.round(share * 100)} %`
const figure = (number: number) => String(Math.round(number * 10) / 10)

/** The grounds of a suspicion in words: the figure found, and the rule's limit. */
const WORDS: Readonly<Record<string, (found: number, limit: number) => string>> = {
  window_hours: (found, limit) =>
    `Last used ${figure(found)} hours apart from the other session; the rule looks at ${figure(limit)} hours`,
  seen_in_window: (found, limit) =>
    `Seen ${figure(found)} times there in that time; at least ${figure(limit)}`,
  share_at_home: (found, limit) =>
    `${percent(found)} of its use was at home; less than ${percent(limit)}`,
  account_active_days_before: (found, limit) =>
    `The user was active on ${figure(found)} days before it appeared; at least ${figure(limit)}`,
  account_days_before: (found, limit) =>
    `It appeared ${figure(found)} days after the user was first seen; at least ${figure(limit)}`,
  active_days: (found, limit) => `Used on ${figure(found)} days; at least ${figure(limit)}`,
  active_share: (found, limit) =>
    `Used on ${percent(found)} of the days since it appeared; at least ${percent(limit)}`,
  share_in_country: (found, limit) =>
    `${percent(found)} of its use is in that country; at least ${percent(limit)}`,
  days_in_country: (found, limit) => `There for ${figure(found)} days; less than ${figure(limit)}`,
  share_of_other_sessions: (found, limit) =>
    `${percent(found)} of the other sessions’ use is in that country; less than ${percent(limit)}`,
}

/** A ground of another release is shown unchanged. */
export const sayGround = ({ name, found, limit }: Ground): string =>
  WORDS[name]?.(found, limit) ?? `${name}: ${figure(found)} (${figure(limit)})`
