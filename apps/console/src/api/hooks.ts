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

/** The account has begun to require a second step: whoever lacks one sets it up before going on. */
const onError = (error: unknown) => {
  if (isProblem(error, 'FACTOR_SET_UP_NEEDED')) {
    void queries.invalidateQueries({ queryKey: ['/me'] })
  }
}

/** What the console knows is a copy: it is asked for again whenever somebody looks. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client has tried again already where that may help.
      retry: false,
    },
  },
})

interface ReadOptions {
  readonly query?: Query
  /** Ask again after so many seconds, while the page is looked at. */
  readonly everySeconds?: number
  readonly when?: boolean
}

/** One answer of the API. Its key begins with its path: changes below that path make it ask again. */
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

/** An answer to a question that is sent as a body: a report, an explanation. */
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

/** A list, page by page as it is scrolled. */
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

/** Always the same, so that an empty list does not look new each time. */
const NO_ROWS: unknown[] = []

/** A change; whatever lies below the named paths is asked for again. */
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
