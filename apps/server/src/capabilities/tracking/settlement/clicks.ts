import type { ClientBase } from 'pg'
import { pipelined } from '../../../platform/database/pipelined.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { isEarly, judgeClick } from '../intake/quality.ts'
import { deleteSeenKeys, impressionIdOf, listImpressionTimes } from './store-events.ts'
import { type InboxState, type Note, putBack, readInbox } from './store-staging.ts'

/** When impressions happened, by their ids. */
type Times = ReadonlyMap<string, number>

type Early = ReadonlyMap<string, TrackedEvent>

export const isValidClick = ({ kind, label }: TrackedEvent): boolean =>
  kind === 'click' && label === 'valid'

export interface JudgedClicks {
  /** The batch without those that wait. */
  readonly events: readonly TrackedEvent[]
  /** Clicks that wait for their impressions, by their ids. */
  readonly early: Early
  /** Clicks that would wait too, if not so many did already. */
  readonly earlyRefused: number
}

interface JudgeTerms {
  /** Of the impressions that are stored. */
  readonly times: Times
  /** In which the events were noted, if they were. */
  readonly notes: readonly Note[]
}

/**
 * Only here it is known whether a click had its impression: stored before, or in the same batch. One
 * that has none may have overtaken it, because the impression still waits in the inbox of another node:
 * then it waits too.
 */
export async function judgeClicks(
  client: ClientBase,
  events: readonly TrackedEvent[],
  { times: stored, notes }: JudgeTerms,
): Promise<JudgedClicks> {
  if (!events.some(isValidClick)) return { events, early: NONE, earlyRefused: 0 }
  const times = withImpressions(stored, events)
  const labelled = label(events, times)
  const lonely = labelled.filter(({ label }) => label === 'no-impression')
  if (lonely.length === 0) return { events: labelled, early: NONE, earlyRefused: 0 }

  // In this order: what has left the inbox by the first answer is stored by the second.
  const [inbox, since] = await pipelined([readInbox(client), listImpressionTimes(client, lonely)])
  const known = new Map([...times, ...since])
  const early = listEarly(lonely, { times: known, notes, inbox })
  if (inbox.isFull) return { events: label(events, known), early: NONE, earlyRefused: early.size }

  const rest = events.filter(({ eventId }) => !early.has(eventId))
  return { events: label(rest, known), early, earlyRefused: 0 }
}

const NONE: Early = new Map()

function withImpressions(stored: Times, events: readonly TrackedEvent[]): Times {
  const times = new Map(stored)
  for (const { kind, eventId, occurredAtMs } of events) {
    if (kind === 'impression' && !times.has(eventId)) times.set(eventId, occurredAtMs)
  }
  return times
}

function timeOf(click: TrackedEvent, times: Times): number | undefined {
  const impressionId = impressionIdOf(click)
  return impressionId === undefined ? undefined : times.get(impressionId)
}

const label = (events: readonly TrackedEvent[], times: Times): TrackedEvent[] =>
  events.map((event) =>
    isValidClick(event)
      ? { ...event, label: judgeClick(event.occurredAtMs, timeOf(event, times)) }
      : event,
  )

function listEarly(
  lonely: readonly TrackedEvent[],
  { times, notes, inbox }: JudgeTerms & { readonly inbox: InboxState },
): Early {
  const noteOf = new Map<string, number>()
  for (const { id, events } of notes) for (const { eventId } of events) noteOf.set(eventId, id)
  const early = lonely.filter(
    (click) =>
      click.decisionId !== undefined &&
      timeOf(click, times) === undefined &&
      isEarly(noteOf.get(click.eventId), inbox.oldestId),
  )
  return new Map(early.map((click) => [click.eventId, click]))
}

/**
 * Puts early clicks back into the inbox, with the transaction that settles the rest: each into the note
 * it was in, so that conversions still wait for it; those that were in none into one of their own.
 */
export async function delayClicks(
  client: ClientBase,
  batch: readonly TrackedEvent[],
  { early, notes }: { readonly early: Early; readonly notes: readonly Note[] },
): Promise<void> {
  if (early.size === 0) return
  const isDelayed = ({ eventId }: TrackedEvent) => early.has(eventId)
  const noted = notes.map(({ id, events }) => ({ id, events: events.filter(isDelayed) }))
  const isNoted = new Set(noted.flatMap(({ events }) => events.map(({ eventId }) => eventId)))
  const isLoose = (event: TrackedEvent) => isDelayed(event) && !isNoted.has(event.eventId)
  const loose = { id: undefined, events: batch.filter(isLoose) }
  const seenKeys = [...early.values()].flatMap(({ seenKey }) => seenKey ?? [])
  await pipelined([
    putBack(
      client,
      [...noted, loose].filter(({ events }) => events.length > 0),
    ),
    deleteSeenKeys(client, seenKeys),
  ])
}
