import type { ServedBanner, ServedPage, ServedPlacements } from '@placard/contract/serving'
import { pageUrl } from './report.ts'
import type { Reader } from './reader.ts'
import { safely } from './safely.ts'
import type { Settings } from './settings.ts'

export type Banner = ServedBanner

/** What fills a slot. */
export interface Filling {
  readonly layoutType?: string
  readonly recommendedWidth?: number | null
  readonly recommendedHeight?: number | null
  readonly banners: readonly Banner[]
  readonly placeholderUrl?: string
}

/** A slot waiting for ads. */
export interface SlotRequest {
  readonly slug: string
  readonly count: number | undefined
  /** Undefined if there was no answer. */
  onAnswer(filling: Filling | undefined): void
}

const SLOTS_MAX = 20
const TIMEOUT_MS = 5_000

/** Slots that ask in the same moment share one call. */
export function createCaller(settings: Settings, reader: Reader) {
  let waiting: SlotRequest[] = []
  const flush = safely(() => {
    while (waiting.length > 0) {
      const batch = batchOf(waiting)
      waiting = waiting.filter((asking) => !batch.includes(asking))
      void call(settings, reader, batch)
    }
  })
  return {
    ask(asking: SlotRequest): void {
      waiting.push(asking)
      if (waiting.length === 1) void reader.whenAsked.then(flush)
    },
    /** Not sent yet: its call will carry the consent of that moment. */
    isWaiting: (asking: SlotRequest): boolean => waiting.includes(asking),
  }
}

interface Asking extends SlotRequest {
  isClosed(): boolean
}

/** The calls of one slot, one at a time. */
export function askOneAtATime(
  caller: ReturnType<typeof createCaller>,
  { slug, count, isClosed, onAnswer }: Asking,
) {
  let request: SlotRequest | undefined
  /** A refresh came after the request was sent. */
  let isOutdated = false
  /** The request repeats an outdated one. */
  let isRepeat = false
  const fill = () => {
    if (request || isClosed()) return
    request = { slug, count, onAnswer: answer }
    caller.ask(request)
  }
  /** A page that refreshes faster than answers arrive still shows every second one. */
  const answer = (filling: Filling | undefined) => {
    const asksAgain = isOutdated
    request = undefined
    isOutdated = false
    isRepeat = asksAgain && !isRepeat
    if (!isRepeat) onAnswer(filling)
    if (asksAgain) fill()
  }
  const refresh = () => {
    if (request && !caller.isWaiting(request)) isOutdated = true
    else fill()
  }
  return { fill, refresh }
}

/** As many as one call takes, each slug once. */
const batchOf = (waiting: readonly SlotRequest[]) =>
  waiting
    .filter(({ slug }, at) => waiting.findIndex((other) => other.slug === slug) === at)
    .slice(0, SLOTS_MAX)

async function call(
  settings: Settings,
  reader: Reader,
  batch: readonly SlotRequest[],
): Promise<void> {
  let fillings: ReadonlyMap<string, Filling> | undefined
  try {
    fillings = await (settings.siteId ? callPage : callSlugs)(settings, reader, batch)
  } catch {
    // No network, or a server error: the slots show it.
  }
  for (const asking of batch) safely(asking.onAnswer)(fillings?.get(asking.slug))
}

/** All slots of the page in one call, so that no campaign appears twice. An answer without a body has no ads. */
async function callPage(
  { origin, siteId }: Settings,
  reader: Reader,
  batch: readonly SlotRequest[],
) {
  const { userId, contextToken, consent } = reader.describe()
  const answer = await post<ServedPage>(`${origin}/api/v1/sites/${siteId}/serve`, {
    url: pageUrl(),
    user: { id: userId, contextToken },
    consent,
    slots: batch.map(({ slug, count }) => ({ placement: slug, count })),
  })
  const slots = answer?.slots ?? batch.map(({ slug }) => ({ placement: slug, banners: [] }))
  return new Map<string, Filling>(slots.map((slot) => [slot.placement, slot]))
}

async function callSlugs({ origin }: Settings, reader: Reader, batch: readonly SlotRequest[]) {
  const answer = await post<ServedPlacements>(`${origin}/api/v1/banners/serve`, {
    ...reader.describe(),
    slugs: batch.map(({ slug }) => slug),
  })
  return new Map<string, Filling>(
    answer?.placements.map(({ placement, ...served }) => [
      placement.slug,
      { ...placement, ...served },
    ]),
  )
}

/** Plain text, to avoid a CORS preflight. */
async function post<Answer>(url: string, body: object): Promise<Answer | undefined> {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) throw answer
  return answer.status === 204 ? undefined : ((await answer.json()) as Answer)
}
