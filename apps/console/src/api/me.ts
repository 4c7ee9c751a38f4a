import { createContext, use } from 'react'
import { useRead } from './hooks.ts'
import type { Advertiser, Me, PageOf, Publisher } from './types.ts'

export const MeContext = createContext<Me | undefined>(undefined)

/** The signed-in user. Only for components below the shell, which loads it. */
export function useMe(): Me {
  const me = use(MeContext)
  if (!me) throw new Error('nobody is signed in here')
  return me
}

/** Whether the signed-in user has a permission such as `campaigns:write`. */
export function useMay(): (permission: string) => boolean {
  const held = new Set(useMe().permissions)
  return (permission) => held.has(permission)
}

/** The account's time zone. Users of the platform account get their browser's. */
export function useZone(): string {
  const kind = useMe().user?.accountKind
  const options = { query: { limit: 1 } }
  const advertisers = useRead<PageOf<Advertiser>>('/admin/advertisers', {
    ...options,
    when: kind === 'advertiser',
  })
  const publishers = useRead<PageOf<Publisher>>('/admin/publishers', {
    ...options,
    when: kind === 'publisher',
  })
  const own = kind === 'advertiser' ? advertisers.data?.items[0] : publishers.data?.items[0]
  return own?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
