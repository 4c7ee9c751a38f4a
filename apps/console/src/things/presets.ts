import type { Me } from '../api/types.ts'

/** The account of the user. */
export const ownAccount = (me: Me) => me.user?.accountId ?? ''

/** The time zone of the user's browser. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
