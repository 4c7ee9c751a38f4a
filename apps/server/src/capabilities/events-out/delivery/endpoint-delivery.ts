import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import { toCloudEvent } from '../../../platform/outbox/event.ts'
import { type Cursors, moveCursors, readSources } from '../../../platform/outbox/sources.ts'
import type { WebhookSender } from './webhook-client.ts'
import { EVENT_SOURCES } from '../sources/sources.ts'
import {
  addDeliveries,
  countPending,
  type Delivery,
  type Endpoint,
  listDue,
  recordHealth,
  openEndpointCursors,
  type Outcome,
  switchOffEndpoint,
  saveOutcomes,
  sinkOf,
} from './store.ts'
import { type Answer, isGone, isHopeless, isTaken, judgeAnswer, pauseMsAfter } from './webhook.ts'

export interface EndpointDeliveryDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly sender: WebhookSender
  readonly source: string
  readonly attemptsMax: number
  readonly observer: DeliveryObserver
}

export interface DeliveryObserver {
  tried(result: 'delivered' | 'failed' | 'dead'): void
  switchedOff(endpointId: string, reason: string): void
}

export interface EndpointDelivery {
  /** Reads new events and sends due ones. True if there is more to do at once. */
  deliverBatch(): Promise<boolean>
  /** Starts no more calls. */
  finish(): void
}

/** Maximum number of waiting deliveries per endpoint. Further events wait in their source. */
const PENDING_MAX = 2_000
const PAGE = 200
const SUBJECTS_AT_ONCE = 8
/** After this many failures without a success, the endpoint is left alone for a while. */
const FAILURES_MAX = 3

/** The endpoint accepts nothing at present. */
export class EndpointFails extends Error {}

/** Delivers events to one endpoint: in order per subject, several subjects in parallel. */
export function createEndpointDelivery(
  deps: EndpointDeliveryDeps,
  { endpoint, secret }: { readonly endpoint: Endpoint; readonly secret: string },
): EndpointDelivery {
  let cursors: Cursors | undefined
  let isFinishing = false
  const types = new Set(endpoint.eventTypes)
  const wants = (type: string) => types.has(type)

  async function fetchNew(): Promise<boolean> {
    const { db, ids, clock, source } = deps
    if ((await countPending(db, endpoint.key, PENDING_MAX)) >= PENDING_MAX) return false
    const from = (cursors ??= await openEndpointCursors(db, endpoint.publicId))
    const query = { sources: EVENT_SOURCES, cursors: from, limit: PAGE, wants }
    const page = await readSources(db, query)
    const events = page.events.map((event) => toCloudEvent(event, source))
    const move = { sink: sinkOf(endpoint.publicId), sources: EVENT_SOURCES, from, to: page.next }
    cursors = undefined
    await db.transaction(async (db) => {
      await addDeliveries(db, { endpointKey: endpoint.key, events, ids, now: clock.now() })
      await moveCursors(db, move)
    })
    cursors = page.next
    return page.state === 'more'
  }

  async function sendDue(): Promise<boolean> {
    const { db, clock } = deps
    const query = { endpointKey: endpoint.key, now: clock.now(), limit: PAGE }
    const due = await listDue(db, query)
    if (due.length === 0) return false
    const round = await sendInOrder(due, {
      send: ({ eventId: id, body }) => deps.sender.send({ url: endpoint.url, secret, id, body }),
      isFinishing: () => isFinishing,
    })
    await save(round)
    return due.length === PAGE || round.hasSuccess
  }

  async function save(round: Round): Promise<void> {
    const { db, clock, attemptsMax, observer } = deps
    const now = clock.now()
    const outcomes = round.tries.map((attempt) => outcomeOf(attempt, { ...deps, now, attemptsMax }))
    await saveOutcomes(db, outcomes, now)
    for (const { status } of outcomes) observer.tried(status === 'pending' ? 'failed' : status)

    const failingSince = await recordHealth(db, endpoint.key, { isWell: round.hasSuccess, now })
    const reason = reasonToSwitchOff(round, failingSince, now)
    if (reason) {
      await switchOffEndpoint(db, endpoint.key, reason)
      observer.switchedOff(endpoint.publicId, reason)
    }
    if (round.isBroken) throw new EndpointFails(`${endpoint.publicId} accepts nothing at present`)
  }

  return {
    async deliverBatch() {
      const hasMore = await fetchNew()
      return (await sendDue()) || hasMore
    },
    finish() {
      isFinishing = true
    },
  }
}

function reasonToSwitchOff(
  round: Round,
  failingSince: Date | undefined,
  now: Date,
): string | undefined {
  if (round.tries.some(({ answer }) => isGone(answer))) return 'The endpoint answered 410 Gone'
  if (!round.hasSuccess && failingSince && isHopeless(failingSince, now)) {
    return 'The endpoint has accepted nothing for three days'
  }
  return undefined
}

interface Try {
  readonly delivery: Delivery
  readonly answer: Answer
}

interface Round {
  readonly tries: readonly Try[]
  readonly hasSuccess: boolean
  readonly isBroken: boolean
}

interface Sending {
  readonly send: (delivery: Delivery) => Promise<Answer>
  readonly isFinishing: () => boolean
}

/** A subject waits only for its own failures. The round ends if no call succeeds. */
async function sendInOrder(
  due: readonly Delivery[],
  { send, isFinishing }: Sending,
): Promise<Round> {
  const queues = [...Map.groupBy(due, ({ subject }) => subject).values()]
  const tries: Try[] = []
  let hasSuccess = false
  let failures = 0
  const isBroken = () => !hasSuccess && failures >= FAILURES_MAX

  async function sendQueue(queue: readonly Delivery[]): Promise<void> {
    for (const delivery of queue) {
      if (isBroken() || isFinishing()) return
      const answer = await send(delivery)
      tries.push({ delivery, answer })
      if (!isTaken(answer)) {
        failures += 1
        return
      }
      hasSuccess = true
    }
  }
  async function work(): Promise<void> {
    for (let queue = queues.shift(); queue && !isBroken(); queue = queues.shift()) {
      await sendQueue(queue)
    }
  }
  await Promise.all(Array.from({ length: SUBJECTS_AT_ONCE }, work))
  return { tries, hasSuccess, isBroken: isBroken() }
}

function outcomeOf(
  { delivery, answer }: Try,
  terms: { readonly now: Date; readonly attemptsMax: number; readonly random: Random },
): Outcome {
  const attempts = delivery.attempts + 1
  const verdict = judgeAnswer(answer, { attempts, attemptsMax: terms.attemptsMax })
  const pauseMs = verdict === 'retry' ? pauseMsAfter(attempts, terms.random.draw()) : 0
  return {
    key: delivery.key,
    status: verdict === 'retry' ? 'pending' : verdict,
    dueAt: new Date(terms.now.getTime() + pauseMs),
    lastStatus: answer.status ?? null,
    lastError: answer.error ?? null,
  }
}
