import type { ClientBase } from 'pg'
import { pipelined } from '../../../platform/database/pipelined.ts'
import type { TrackedEvent } from '../intake/event.ts'
import type { Label } from '../intake/labels.ts'
import { deleteSeenKeys, impressionIdOf, listImpressionTimes } from './store-events.ts'
import {
  type StagingState,
  type StagedBatch,
  restageBatches,
  readStagingState,
} from './store-staging.ts'

/** Impression times by event id. */
type Times = ReadonlyMap<string, number>

type Early = ReadonlyMap<string, TrackedEvent>

export const isValidClick = ({ kind, label }: TrackedEvent): boolean =>
  kind === 'click' && label === 'valid'

export interface JudgedClicks {
  /** The batch without early clicks. */
  readonly events: readonly TrackedEvent[]
  /** Early clicks by event id. */
  readonly early: Early
  /** Clicks that are not delayed because too many wait already. */
  readonly earlyRefused: number
}

interface JudgeTerms {
  /** Times of stored impressions. */
  readonly times: Times
  /** The staged batches that held the events. */
  readonly batches: readonly StagedBatch[]
}

/**
 * Labels clicks by their impressions, in this batch or stored before. A click without one is early
 * while its impression may still be staged by another node.
 */
export async function judgeClicks(
  client: ClientBase,
  events: readonly TrackedEvent[],
  { times: stored, batches }: JudgeTerms,
): Promise<JudgedClicks> {
  if (!events.some(isValidClick)) return { events, early: NONE, earlyRefused: 0 }
  const times = withImpressions(stored, events)
  const labelled = label(events, times)
  const lonely = labelled.filter(({ label }) => label === 'no-impression')
  if (lonely.length === 0) return { events: labelled, early: NONE, earlyRefused: 0 }

  // The order matters: a batch that is gone by the first answer is stored by the second.
  const [staging, since] = await pipelined([
    readStagingState(client),
    listImpressionTimes(client, lonely),
  ])
  const known = new Map([...times, ...since])
  const early = listEarly(lonely, { times: known, batches, staging })
  if (staging.isFull) return { events: label(events, known), early: NONE, earlyRefused: early.size }

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
  { times, batches, staging }: JudgeTerms & { readonly staging: StagingState },
): Early {
  const batchOf = new Map<string, number>()
  for (const { id, events } of batches) for (const { eventId } of events) batchOf.set(eventId, id)
  const early = lonely.filter(
    (click) =>
      click.decisionId !== undefined &&
      timeOf(click, times) === undefined &&
      isEarly(batchOf.get(click.eventId), staging.oldestId),
  )
  return new Map(early.map((click) => [click.eventId, click]))
}

/**
 * Restages early clicks in the transaction that settles the rest. A staged click keeps its batch
 * id, so that conversions still wait for it. Others get a new batch.
 */
export async function delayClicks(
  client: ClientBase,
  batch: readonly TrackedEvent[],
  { early, batches }: { readonly early: Early; readonly batches: readonly StagedBatch[] },
): Promise<void> {
  if (early.size === 0) return
  const isDelayed = ({ eventId }: TrackedEvent) => early.has(eventId)
  const staged = batches.map(({ id, events }) => ({ id, events: events.filter(isDelayed) }))
  const isStaged = new Set(staged.flatMap(({ events }) => events.map(({ eventId }) => eventId)))
  const isLoose = (event: TrackedEvent) => isDelayed(event) && !isStaged.has(event.eventId)
  const loose = { id: undefined, events: batch.filter(isLoose) }
  const seenKeys = [...early.values()].flatMap(({ seenKey }) => seenKey ?? [])
  await pipelined([
    restageBatches(
      client,
      [...staged, loose].filter(({ events }) => events.length > 0),
    ),
    deleteSeenKeys(client, seenKeys),
  ])
}

const CLICK_MS_MIN = 100

/** A click needs an impression at least 100 ms before it. */
export function judgeClick(clickAtMs: number, impressionAtMs: number | undefined): Label {
  if (impressionAtMs === undefined) return 'no-impression'
  return clickAtMs - impressionAtMs < CLICK_MS_MIN ? 'too-fast' : 'valid'
}

/**
 * A click without an impression is early while an older staged batch exists, because its impression
 * may be in there. A click that is not staged itself is newer than all staged batches.
 */
export function isEarly(batchId: number | undefined, oldestBatchId: number | undefined): boolean {
  if (oldestBatchId === undefined) return false
  return batchId === undefined || oldestBatchId < batchId
}
