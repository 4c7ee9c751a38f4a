import type * as accounts from '@placard/contract/accounts'
import { useMemo } from 'react'
import type { Static } from 'typebox'
import { useRead } from '../../api/hooks.ts'

export type User = Static<typeof accounts.User>
export type SwitchState = Static<typeof accounts.SwitchState>

/** Users by id, if the platform knows them. */
export function useUsers(): ReadonlyMap<string, User> {
  const users = useRead<{ readonly items: readonly User[] }>('/admin/users', {
    query: { limit: 200 },
  })
  return useMemo(() => new Map(users.data?.items.map((user) => [user.id, user])), [users.data])
}
