import { toCloudEvent } from '../../../platform/outbox/event.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  createRow,
  getRow,
  type ResourceDeps,
  type Target,
  type Values,
} from '../../../platform/resources/index.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { ENDPOINT_CREATED } from '../sources/event-types.ts'
import { webhookProblems } from '../problems.ts'
import { webhookDelivery, webhookEndpoint } from './resources.ts'
import {
  addDeliveries,
  countEndpoints,
  ENDPOINTS_MAX,
  openEndpointCursors,
  type Replay,
  replayDeliveries,
} from '../delivery/store.ts'

export interface WebhookDeps extends ResourceDeps {
  readonly secretBox: SecretBox
  /** The `source` of every event: this installation. */
  readonly source: string
}

const SECRET_BYTES = 24

/** From its commit on, the endpoint misses no event. A first event shows that it works. */
export async function createEndpoint(
  deps: WebhookDeps,
  { body, actor }: { readonly body: Values; readonly actor: Actor },
) {
  const { db, random, secretBox, ids, clock, source } = deps
  if ((await countEndpoints(db)) >= ENDPOINTS_MAX) {
    throw new Problem(webhookProblems.tooManyEndpoints, `There are ${ENDPOINTS_MAX}.`)
  }
  const secret = `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`
  const extra = { sealedSecret: await secretBox.seal(secret) }
  const record = await createRow(deps, webhookEndpoint, { body, actor, extra })
  const publicId = String(record.publicId)
  await openEndpointCursors(db, publicId)

  const now = clock.now()
  const data = { webhookEndpointId: publicId, name: record.name, eventTypes: record.eventTypes }
  const greeting = { id: ids.next(), type: ENDPOINT_CREATED, subject: publicId, time: now, data }
  const events = [toCloudEvent(greeting, source)]
  await addDeliveries(db, { endpointKey: String(record.id), events, ids, now })
  return { record, secret }
}

/** Sends the endpoint's events again. It recognises repeats by their ids. */
export async function replayEndpoint(
  { db, clock }: ResourceDeps,
  target: Target & { readonly body: Omit<Replay, 'now' | 'endpointKey' | 'deliveryKey'> },
): Promise<number> {
  const { id } = await getRow(db, webhookEndpoint, target)
  return replayDeliveries(db, { ...target.body, endpointKey: id as bigint, now: clock.now() })
}

export async function replayDelivery({ db, clock }: ResourceDeps, target: Target) {
  const { id } = await getRow(db, webhookDelivery, target)
  await replayDeliveries(db, { deliveryKey: id as bigint, now: clock.now() })
  return getRow(db, webhookDelivery, target)
}
