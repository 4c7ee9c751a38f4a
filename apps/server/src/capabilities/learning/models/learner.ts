import { localTime, ZoneClocks } from '@placard/calendar'
import { startLoop } from '../../../platform/background/loop.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { FEED_START, readFeed } from '../../../platform/database/ordered-feed.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import { clickRowOf } from './click-features.ts'
import {
  figuresOf,
  type Learned,
  learnFrom,
  type Lesson,
  newLearned,
  packLearned,
  unpackLearned,
} from './learned.ts'
import { drawOf, type Lessons, NEGATIVES_PER_STEP, negativeShareOf } from './evidence.ts'
import {
  lessonFeed,
  listBare,
  listShowings,
  type SettledBatch,
  type ShowingRow,
} from './reads-lessons.ts'
import { lockModel, type ModelRow, saveModel } from './store-models.ts'

export interface LearnerDeps {
  readonly db: Database
  readonly clock: Clock
  readonly observer: LearnerObserver
  readonly lessons: Lessons
  readonly negativesPerStep?: number | undefined
}

export interface LearnerObserver {
  learned(lessons: number): void
  /** The model was found off, or sound again. */
  judged(change: { readonly before: string; readonly after: string }): void
  /** The stored model could not be read. It is trained anew. */
  broken(): void
  failed(error: unknown): void
}

const BATCHES_MAX = 200
const EVENTS_PER_STEP = 20_000
const POLL_MS = 5_000
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }

/**
 * Trains from settled events. Any number of processes may run it: a lock lets one train at a time.
 */
export function startLearner(deps: LearnerDeps & { readonly timers: Timers }): {
  stop(): Promise<void>
} {
  const learner = createLearner(deps)
  return startLoop({
    timers: deps.timers,
    backoff: BACKOFF,
    onError: (error) => deps.observer.failed(error),
    iterate: async () => ((await learner.step()) ? 0 : POLL_MS),
  })
}

export interface Learner {
  /** Trains with a bounded part of what is new. Returns whether there is more. */
  step(): Promise<boolean>
}

export function createLearner(deps: LearnerDeps): Learner {
  /** What this process saved last. Another process may have continued from it. */
  let kept: { readonly version: number; readonly learned: Learned } | undefined
  const zones = new ZoneClocks()
  const { evidence, waitMs, prior } = deps.lessons

  const learnedOf = (row: ModelRow | undefined): Learned => {
    if (row === undefined) return newLearned(prior)
    if (kept?.version === row.version) return kept.learned
    const restored = unpackLearned(row)
    if (restored === undefined) deps.observer.broken()
    return restored === undefined ? newLearned(prior) : { ...restored, lessons: row.lessons }
  }

  return {
    step: () =>
      deps.db
        .transaction(async (db) => {
          const row = await lockModel(db, evidence)
          const after = row?.cursor ?? FEED_START
          const page = await readFeed(db, lessonFeed, { after, limit: BATCHES_MAX })
          const batches = ripe(page.rows, deps.clock.now().getTime() - waitMs)
          if (batches.length === 0) return false

          const learned = learnedOf(row)
          const lessons = await lessonsOf({ ...deps, db }, batches, { learned, zones })
          for (const lesson of lessons) learnFrom(learned, lesson)
          const saved = modelRow(learned, {
            version: (row?.version ?? 0) + 1,
            cursor: page.places[batches.length - 1]!,
            updatedAt: deps.clock.now(),
          })
          await saveModel(db, evidence, saved)
          kept = { version: saved.version, learned }
          report(deps.observer, { row, saved, lessons: lessons.length })
          return batches.length < page.rows.length || page.state === 'more'
        })
        .catch((error: unknown) => {
          // The model in memory is ahead of the database.
          kept = undefined
          throw error
        }),
  }
}

/** Batches that have waited long enough for their clicks, up to one step's worth. */
function ripe(batches: readonly SettledBatch[], untilMs: number): readonly SettledBatch[] {
  let events = 0
  const end = batches.findIndex(({ settledAtMs, rows }) => {
    const isFull = events >= EVENTS_PER_STEP
    events += rows
    return isFull || settledAtMs > untilMs
  })
  return end === -1 ? batches : batches.slice(0, end)
}

/** All examples with an outcome, and a share of those without. */
async function lessonsOf(
  { db, lessons, negativesPerStep = NEGATIVES_PER_STEP }: LearnerDeps,
  batches: readonly SettledBatch[],
  { learned, zones }: { readonly learned: Learned; readonly zones: ZoneClocks },
): Promise<Lesson[]> {
  const bare = await listBare(db, lessons.table, batches)
  const outcomes = await lessons.listOutcomes(db, bare)
  const negativeShare = negativeShareOf(bare.length, negativesPerStep)
  const taught = bare.filter(
    (one) => drawOf(one) < negativeShare || outcomes.has(lessons.outcomeIdOf(one)),
  )
  const shown = await listShowings(db, lessons.table, taught)
  return shown.map((one) => ({
    row: rowOf(one, { ...lessons, zones, bits: learned.model.bits }),
    placementType: one.placementType,
    clicked: outcomes.has(lessons.outcomeIdOf(one)),
    negativeShare,
  }))
}

interface RowFormat extends Pick<Lessons, 'hasTable' | 'readsTime'> {
  readonly zones: ZoneClocks
  readonly bits: number
}

function rowOf(
  showing: ShowingRow,
  { zones, bits, hasTable, readsTime }: RowFormat,
): Lesson['row'] {
  const { adKey, campaignKey, format, siteKey, width, height, context } = showing
  const clock = zones.find(showing.timeZone) ?? zones.find('UTC')!
  const { hour, weekday } = localTime(clock, showing.decidedAtMs)
  const { placementType, device, country } = showing
  const row = clickRowOf(
    {
      place: {
        placementType,
        siteKey: siteKey ?? undefined,
        width: width ?? undefined,
        height: height ?? undefined,
        hour: readsTime ? hour : undefined,
        weekday: readsTime ? weekday : undefined,
      },
      context: context ?? {
        ...(device !== null && { device: device as 'mobile' }),
        ...(country !== null && { country }),
      },
      ad: { adKey: adKey ?? undefined, campaignKey, format: format ?? undefined },
    },
    bits,
  )
  return hasTable ? row : { indexes: row.indexes }
}

const modelRow = (
  learned: Learned,
  row: Pick<ModelRow, 'version' | 'cursor' | 'updatedAt'>,
): ModelRow => ({
  ...row,
  ...packLearned(learned),
  lessons: learned.lessons,
  verdict: learned.model.verdict,
  figures: figuresOf(learned),
})

function report(
  observer: LearnerObserver,
  { row, saved, lessons }: { row: ModelRow | undefined; saved: ModelRow; lessons: number },
): void {
  observer.learned(lessons)
  const before = row?.verdict ?? 'too-early'
  if (before !== saved.verdict) observer.judged({ before, after: saved.verdict })
}
