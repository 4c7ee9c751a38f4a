import { expect, onTestFinished, vi } from 'vitest'
import { aServingWorld } from './serving-world.ts'
import { eventIdOf, type TrackedEvent, utcDayOf } from '../../capabilities/tracking/intake/event.ts'
import { createSettler, openIngestPool } from '../../capabilities/tracking/settlement/settler.ts'
import { CLICKS } from '../../capabilities/learning/models/evidence.ts'
import {
  createLearner,
  type Learner,
  type LearnerDeps,
} from '../../capabilities/learning/models/learner.ts'

export interface Showings {
  readonly adKey: number
  readonly campaignKey: number
  readonly count: number
  readonly clicks: number
  readonly label?: TrackedEvent['label']
}

/** Two bidders on one placement, events to settle, and a learner that follows them. */
export async function aLearningWorld() {
  const world = await aServingWorld()
  const { deps, db, url } = world
  const placement = await world.addPlacement({ mode: 'auction', type: 'feed' })
  const plain = await world.addBidder(placement, 1_000_000n, { pricing: 'cpc' })
  const loved = await world.addBidder(placement, 700_000n, { pricing: 'cpc' })
  const pool = openIngestPool(url, 2)
  onTestFinished(() => pool.end())
  const settler = createSettler({ pool, node: 'test', clock: deps.clock, ids: deps.ids })

  const happened: string[] = []
  const observer = {
    learned: (lessons: number) => void happened.push(`learned ${lessons}`),
    judged: ({ before, after }: { before: string; after: string }) =>
      void happened.push(`${before} -> ${after}`),
    broken: () => void happened.push('broken'),
    failed: () => {},
  }
  return {
    ...world,
    placement,
    plain,
    loved,
    happened,
    newLearner: (its: Partial<LearnerDeps> = {}) =>
      createLearner({ db, clock: deps.clock, observer, lessons: CLICKS, ...its }),
    /** Settles impressions of an ad, the clicked ones first, and their clicks. */
    async show({ adKey, campaignKey, count, clicks, label = 'valid' }: Showings) {
      const nowMs = deps.clock.now().getTime()
      const shown = Array.from({ length: count }, (): TrackedEvent => {
        const decisionId = deps.ids.next()
        return {
          kind: 'impression',
          decisionId,
          position: 0,
          eventId: eventIdOf(decisionId, 'impression', 0),
          decisionDay: utcDayOf(nowMs),
          budgetDay: utcDayOf(nowMs),
          source: 'ad',
          winnerKey: adKey,
          campaignKey,
          advertiserKey: Number(world.advertiser.id),
          placementKey: Number(placement.id),
          occurredAtMs: nowMs,
          receivedAtMs: nowMs,
          clock: 'on-time',
          label,
          pricing: 'cpc',
          chargeMicros: 0,
        }
      })
      const clicked = shown.slice(0, clicks).map((event): TrackedEvent => ({
        ...event,
        kind: 'click',
        eventId: eventIdOf(event.decisionId!, 'click', 0),
        occurredAtMs: nowMs + 60_000,
      }))
      await settler.settle(shown, { countsRepeats: true })
      if (clicked.length > 0) await settler.settle(clicked, { countsRepeats: true })
      deps.clock.advance(CLICKS.waitMs / 1_000 + 1)
      return { shown, clicked }
    },
  }
}

/** Until nothing is left to learn; transactions elsewhere in the cluster may hold the feed back. */
export async function learnAll(
  { happened }: Awaited<ReturnType<typeof aLearningWorld>>,
  learner: Learner,
  lessons: number,
): Promise<void> {
  const learned = () =>
    happened.reduce((sum, what) => sum + Number(/^learned (\d+)$/.exec(what)?.[1] ?? 0), 0)
  await vi.waitFor(
    async () => {
      await learner.step()
      expect(learned()).toBe(lessons)
    },
    { timeout: 20_000, interval: 5 },
  )
}
