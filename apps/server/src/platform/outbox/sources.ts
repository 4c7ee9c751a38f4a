import type { Database } from '../database/connect.ts'
import {
  cursorNow,
  FEED_START,
  type FeedCursor,
  type FeedState,
  readFeed,
} from '../database/ordered-feed.ts'
import type { OutboxEvent } from './event.ts'
import { moveCursor, openCursor, OUTBOX_SOURCE, outboxFeed } from './store.ts'

/** Events that one transaction wrote at one place; delivered together. */
export interface EventUnit {
  readonly place: FeedCursor
  readonly events: readonly OutboxEvent[]
}

export interface UnitPage {
  readonly units: readonly EventUnit[]
  readonly state: FeedState
}

export interface SourceQuery {
  readonly after: FeedCursor
  /** Events; a page may exceed it to keep a unit whole. */
  readonly limit: number
  readonly wants: Wants
}

/** A source of events, read in the order of their transactions. */
export interface EventSource {
  /** Names its cursors. */
  readonly name: string
  /** Types it provides; undefined for any. */
  readonly types?: readonly string[]
  /** Where a new sink begins. */
  readonly startsAt: 'oldest' | 'now'
  read(db: Database, query: SourceQuery): Promise<UnitPage>
}

/** Which event types are wanted. */
export type Wants = (type: string) => boolean

export const outboxSource: EventSource = {
  name: OUTBOX_SOURCE,
  startsAt: 'oldest',
  async read(db, { after, limit }) {
    const { rows, places, state } = await readFeed(db, outboxFeed, { after, limit })
    return { units: rows.map((event, at) => ({ place: places[at]!, events: [event] })), state }
  },
}

/** A sink's place in each source, in the order of the sources. */
export type Cursors = readonly FeedCursor[]

interface CursorsOpening {
  readonly sink: string
  readonly sources: readonly EventSource[]
  /** Where new cursors begin; default: as each source says. */
  readonly startsAt?: EventSource['startsAt']
}

export async function openCursors(
  db: Database,
  { sink, sources, startsAt }: CursorsOpening,
): Promise<Cursors> {
  const now = await cursorNow(db)
  const cursors: FeedCursor[] = []
  for (const source of sources) {
    const start = (startsAt ?? source.startsAt) === 'now' ? now : FEED_START
    cursors.push(await openCursor(db, { sink, source: source.name }, start))
  }
  return cursors
}

interface CursorsMove {
  readonly sink: string
  readonly sources: readonly EventSource[]
  readonly from: Cursors
  readonly to: Cursors
}

/** All or none. Throws if a cursor is not where this reader left it. */
export async function moveCursors(db: Database, { sink, sources, from, to }: CursorsMove) {
  await db.transaction(async (db) => {
    for (const [at, { name: source }] of sources.entries()) {
      const move = { sink, source, from: from[at]!, to: to[at]! }
      if (isSame(move.from, move.to)) continue
      if (!(await moveCursor(db, move))) throw new CursorMoved(`${sink} in ${source}`)
    }
  })
}

/** Another reader has taken over. */
export class CursorMoved extends Error {
  constructor(which: string) {
    super(`Another relay has moved the cursor of ${which}`)
  }
}

export interface SourcesPage {
  readonly events: readonly OutboxEvent[]
  readonly next: Cursors
  readonly state: 'more' | 'held-back' | 'end'
}

interface SourcesQuery {
  readonly sources: readonly EventSource[]
  readonly cursors: Cursors
  readonly limit: number
  readonly wants: Wants
}

/** Unwanted rows a cursor may lag behind before it is moved: each move is a write. */
const SKIP_XIDS = 10_000n

/**
 * The next events of all sources in the order of their transactions. If one transaction had seen
 * another, its events come later, in whatever sources the two are.
 */
export async function readSources(db: Database, query: SourcesQuery): Promise<SourcesPage> {
  const { sources, cursors, limit, wants } = query
  const horizon = await cursorNow(db)
  const readings: PageRead[] = []
  for (const [at, source] of sources.entries()) {
    const after = cursors[at]!
    const isWanted = source.types?.some(wants) ?? true
    const page = isWanted ? await source.read(db, { after, limit, wants }) : NOTHING
    const units = page.units.filter(({ place }) => place.xid <= horizon.xid)
    readings.push({ at, after, isWanted, units, page })
  }

  const cut = cutOf(readings, horizon.xid)
  const taken = readings.map(({ units }) => units.filter(({ place }) => place.xid <= cut))
  const events = taken
    .flatMap((units, at) => units.map((unit) => ({ at, ...unit })))
    .toSorted((a, b) => byPlace(a.place, b.place, a.at - b.at))
    .flatMap((unit) => unit.events)
    .filter(({ type }) => wants(type))
  return {
    events,
    next: readings.map((reading) => nextOf(reading, taken[reading.at]!, horizon)),
    state: stateOf(readings, taken),
  }
}

interface PageRead {
  readonly at: number
  readonly after: FeedCursor
  readonly isWanted: boolean
  readonly units: readonly EventUnit[]
  readonly page: UnitPage
}

const NOTHING: UnitPage = { units: [], state: 'end' }

/** The others must not overtake a source that has more after its last unit. */
function cutOf(readings: readonly PageRead[], horizonXid: bigint): bigint {
  let cut = horizonXid
  for (const { page, units } of readings) {
    const last = units.at(-1)
    if (page.state === 'more' && last && last.place.xid < cut) cut = last.place.xid
  }
  return cut
}

function nextOf(
  { after, isWanted }: PageRead,
  taken: readonly EventUnit[],
  horizon: FeedCursor,
): FeedCursor {
  if (isWanted) return taken.at(-1)?.place ?? after
  return horizon.xid - after.xid > SKIP_XIDS ? horizon : after
}

function stateOf(readings: readonly PageRead[], taken: readonly (readonly EventUnit[])[]) {
  const hasMore = readings.some(
    ({ at, page }) => taken[at]!.length < page.units.length || page.state === 'more',
  )
  if (hasMore) return 'more'
  return readings.some(({ page }) => page.state === 'held-back') ? 'held-back' : 'end'
}

function byPlace(a: FeedCursor, b: FeedCursor, sources: number): number {
  if (a.xid !== b.xid) return a.xid < b.xid ? -1 : 1
  if (sources !== 0) return sources
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

const isSame = (a: FeedCursor, b: FeedCursor) => a.xid === b.xid && a.id === b.id
