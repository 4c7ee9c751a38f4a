/** The segments of one user, as stored. */
export interface UserSegments {
  readonly userKey: string
  readonly segments: readonly string[]
}

export interface SegmentMemory {
  segmentsOf(userKey: string): readonly string[] | undefined
  /** An empty list forgets the user. */
  put(user: UserSegments): void
  /** Replaces everything by these pages, oldest first. Takes effect with the last page. */
  replaceBy(pages: AsyncIterable<readonly UserSegments[]>): Promise<void>
  size(): number
  /** Users dropped because the memory was full. */
  forgotten(): number
}

/** About 100 bytes each. */
const USERS_MAX = 500_000
const LISTS_MAX = 50_000

interface Held {
  readonly byUser: Map<string, readonly string[]>
  /** Equal lists share one array: few different ones exist. */
  readonly lists: Map<string, readonly string[]>
}

const nothing = (): Held => ({ byUser: new Map(), lists: new Map() })

/**
 * Segments of users in memory, so that a decision never waits for them. Bounded: when it is full,
 * the user updated longest ago is dropped.
 */
export function createSegmentMemory(usersMax: number = USERS_MAX): SegmentMemory {
  let held = nothing()
  let forgotten = 0

  const putInto = ({ byUser, lists }: Held, { userKey, segments }: UserSegments) => {
    byUser.delete(userKey)
    if (segments.length === 0) return
    byUser.set(userKey, shared(lists, segments))
    if (byUser.size <= usersMax) return
    byUser.delete(byUser.keys().next().value!)
    forgotten++
  }

  return {
    segmentsOf: (userKey) => held.byUser.get(userKey),
    put: (user) => putInto(held, user),
    async replaceBy(pages) {
      const next = nothing()
      for await (const page of pages) for (const user of page) putInto(next, user)
      held = next
    },
    size: () => held.byUser.size,
    forgotten: () => forgotten,
  }
}

function shared(lists: Held['lists'], segments: readonly string[]): readonly string[] {
  const text = segments.join('\n')
  const known = lists.get(text)
  if (known !== undefined) return known
  if (lists.size >= LISTS_MAX) lists.clear()
  lists.set(text, segments)
  return segments
}
