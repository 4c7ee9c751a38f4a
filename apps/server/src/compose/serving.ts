import { budgetsServing } from '../capabilities/budgets/module.ts'
import { adProductsBelow } from '../capabilities/contextual/index.ts'
import { consentServing } from '../capabilities/consent/module.ts'
import { contextualServing } from '../capabilities/contextual/module.ts'
import {
  type DecisionPorts,
  decisionsServing,
  type DecisionsServing,
  readersServing,
  recordsServing,
} from '../capabilities/decisions/module.ts'
import { doorsServing } from '../capabilities/doors/module.ts'
import { frequencyServing } from '../capabilities/frequency/module.ts'
import { learnedFor, learningServing } from '../capabilities/learning/module.ts'
import { sealerFor, trackingServing } from '../capabilities/tracking/module.ts'
import type { ChangeFollower } from '../platform/changes/changes.ts'
import { cursorNow } from '../platform/database/ordered-feed.ts'
import { LiveUpdates } from '../platform/live-updates/live-updates.ts'
import { systemTimers } from '../platform/background/timers.ts'
import { type CapabilityModule, warnOf } from '../platform/module.ts'
import { followersOf, followingOf, startModules, stoppedBy } from '../platform/modules.ts'
import { openSwitches } from '../platform/switches/view.ts'
import type { ApiBase, PlacardBase } from './base.ts'
import { SWITCHES } from './switches.ts'

/** Answers ad requests and counts events. */
export interface Serving extends DecisionPorts, Pick<DecisionsServing, 'catalogue'> {
  readonly modules: readonly CapabilityModule[]
  readonly follower: ChangeFollower
  /** Gets every change of the catalogue. */
  readonly liveUpdates: LiveUpdates
  /** Stops following changes. Everything accepted is safe. */
  stop(): Promise<void>
}

/** Loads and starts what a node needs to serve ads. `ingestUrl`: the database where events are settled. */
export async function composeServing(base: ApiBase, ingestUrl = base.url): Promise<Serving> {
  await using opening = new AsyncDisposableStack()
  const stopped = stoppedBy(opening)
  const from = await cursorNow(base.db)
  const liveUpdates = new LiveUpdates(base.db)
  const pages = stopped(await contextualServing({ ...base, liveUpdates }))
  const frequency = stopped(await frequencyServing(base))
  const budgets = stopped(
    await budgetsServing({ ...base, onVerdictChange: (...change) => deciding.park(...change) }),
  )
  const readers = stopped(await readersServing(base))
  const consent = stopped(consentServing(base))
  const records = stopped(await recordsServing({ ...base, readers: readers.readers }))
  const ports = {
    budgets: budgets.book,
    counters: frequency.counters,
    visits: frequency.visits,
    readers: readers.readers,
    consentCounts: consent.consentCounts,
    publishers: readers.publishers,
    recorder: records.recorder,
    sealer: sealerFor(base),
    pages: pages.memory,
    holdTimes: holdTimesOf(base),
  }
  const deciding = await composeDeciding(base, ports, opening)
  const { catalogue } = deciding
  const tracking = stopped(
    await trackingServing({
      ...base,
      ...ports,
      url: ingestUrl,
      content: catalogue.content,
      holds: ports,
    }),
  )

  const modules = [...deciding.modules, readers, budgets, pages, frequency, records, tracking]
  await startModules(modules)
  const follower = followersOf(modules, { ...base, from })
  opening.defer(() => follower.stop())
  catalogue.freshness.stalledMs = () => follower.standing().stalledMs
  const opened = opening.move()
  const stop = () => opened.disposeAsync()
  const all = [...modules, followingOf(follower)]
  return { ...ports, modules: all, catalogue, follower, liveUpdates, stop }
}

/** The catalogue and its followers, for a node, a test or a bench. */
export async function composeDeciding(
  base: PlacardBase,
  ports: DecisionPorts,
  stack: AsyncDisposableStack,
): Promise<DecisionsServing & { readonly modules: readonly CapabilityModule[] }> {
  const view = await openSwitches(base.db, SWITCHES)
  const onError = warnOf(base, 'switches were not read')
  const polling = view.poll({ ...base, timers: systemTimers, onError })
  stack.defer(() => polling.stop())
  const switches = { name: 'switches', followers: [view.subscriber] }
  const shared = { ...base, ...ports, ...learnedFor(ports.budgets), switches: view }
  const blockedForChildren = adProductsBelow(listOf(base.config.CHILD_BLOCKED_AD_PRODUCTS))
  const decisions = stoppedBy(stack)(await decisionsServing({ ...shared, blockedForChildren }))
  const { catalogue, park, explainer, delivery, serving } = decisions
  const deciding = { catalogue, park, explainer, delivery, serving }
  const doors = doorsServing({ ...base, serving })
  const learning = stoppedBy(stack)(await learningServing({ ...shared, catalogue }))
  // The learning switch must act even if the change feed is stuck.
  view.whenTurned(async () => {
    for (const follower of learning.followers ?? []) await follower.onReload()
  })
  return { ...deciding, modules: [decisions, doors, switches, learning] }
}

const listOf = (text: string) => text.split(',').filter(Boolean)

const holdTimesOf = ({ config }: Pick<PlacardBase, 'config'>) => ({
  plainMs: config.RESERVATION_SECONDS * 1_000,
  videoMs: config.RESERVATION_VIDEO_SECONDS * 1_000,
  unvouchedMs: config.RESERVATION_UNVOUCHED_SECONDS * 1_000,
})
