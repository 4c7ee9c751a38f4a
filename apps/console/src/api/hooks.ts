import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type Query } from './client.ts'
import { isProblem } from './problem.ts'

/** The account now requires a second step, and this user has none yet. */
const onError = (error: unknown) => {
  if (isProblem(error, 'FACTOR_SET_UP_NEEDED')) {
    void queries.invalidateQueries({ queryKey: ['/me'] })
  }
}

/** Answers are cached, and read again whenever a page shows them. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client has already retried where that can help.
      retry: false,
    },
  },
})

interface ReadOptions {
  readonly query?: Query
  /** Reloads after this many seconds while the page is visible. */
  readonly everySeconds?: number
  readonly when?: boolean
}

/**
 * One answer of the API. Its cache key begins with its path: a change below that path reloads it.
 */
export function useRead<Answer>(path: string, options: ReadOptions = {}) {
  const { query, everySeconds, when = true } = options
  return useQuery({
    queryKey: [path, query ?? {}],
    queryFn: ({ signal }) => api.get<Answer>(path, query, signal),
    enabled: when,
    placeholderData: keepPreviousData,
    ...(everySeconds !== undefined && { refetchInterval: everySeconds * 1_000 }),
  })
}

/** An answer to a read with a body: a report, an explanation. */
export function usePostRead<Answer>(
  path: string,
  body: object,
  options: Omit<ReadOptions, 'query'> = {},
) {
  const { everySeconds, when = true } = options
  return useQuery({
    queryKey: [path, body],
    queryFn: ({ signal }) => api.ask<Answer>(path, body, signal),
    enabled: when,
    placeholderData: keepPreviousData,
    ...(everySeconds !== undefined && { refetchInterval: everySeconds * 1_000 }),
  })
}

interface Page<Row> {
  readonly items: Row[]
  readonly nextCursor?: string
}

/** A list that loads page by page while it is scrolled. */
export function useList<Row>(
  path: string,
  options: ReadOptions & { readonly pageSize?: number } = {},
) {
  const { query = {}, everySeconds, when = true, pageSize = 100 } = options
  const list = useInfiniteQuery({
    queryKey: [path, query, 'list'],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Row>>(path, { limit: pageSize, ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    enabled: when,
    ...(everySeconds !== undefined && { refetchInterval: everySeconds * 1_000 }),
  })
  return {
    rows: list.data?.pages.flatMap(({ items }) => items) ?? (NO_ROWS as Row[]),
    error: list.error,
    isLoading: list.isPending && when,
    hasMore: list.hasNextPage,
    loadMore: () => void (list.hasNextPage && !list.isFetchingNextPage && list.fetchNextPage()),
    retry: () => void list.refetch(),
  }
}

/** One constant, so that an empty list does not look new at each render. */
const NO_ROWS: unknown[] = []

/** A change that reloads everything below the named paths. */
export function useChange<Given, Answer = unknown>(
  change: (given: Given) => Promise<Answer>,
  { touches }: { readonly touches: readonly string[] },
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => touches.some((path) => String(queryKey[0]).startsWith(path)),
      }),
  })
}
