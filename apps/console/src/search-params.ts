import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type SearchParams = Readonly<Record<string, string>>

/** The search parameters of the address. Filters live there, so that a link shows the same page. */
export function useSearchParams() {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const params: SearchParams = Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, String(value)]),
  )
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) =>
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: (before: Record<string, unknown>) => withoutEmpty({ ...before, ...change }),
      }),
    [navigate],
  )
  return [params, set] as const
}

const withoutEmpty = (params: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined && value !== ''),
  )

/** A variable part of the path, such as an id. */
export function usePathParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>
  return params[name] ?? ''
}
