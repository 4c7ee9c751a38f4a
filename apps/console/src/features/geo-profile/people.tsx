import type * as accounts from '@placard/contract/accounts'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'

export type User = Static<typeof accounts.User>
export type SwitchState = Static<typeof accounts.SwitchState>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The name of a user, or their id if the platform does not know them. */
export function UserName({ id }: { readonly id: string }) {
  const user = useRead<User>(`/admin/users/${id}`, { when: UUID.test(id) })
  return <>{user.data?.displayName ?? id}</>
}
