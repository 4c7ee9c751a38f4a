import type * as accounts from '@placard/contract/accounts'
import type { Static } from 'typebox'

export type User = Static<typeof accounts.User>
export type SwitchState = Static<typeof accounts.SwitchState>
