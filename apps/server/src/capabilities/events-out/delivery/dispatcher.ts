import { startLoop, type Loop } from '../../../platform/background/loop.ts'
import { askForLeaderLock } from '../../../platform/outbox/leader-lock.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { SetAside } from '../../../platform/set-aside/set-aside.ts'
import {
  type EndpointDelivery,
  type EndpointDeliveryDeps,
  createEndpointDelivery,
} from './endpoint-delivery.ts'
import { type Endpoint, listActiveEndpoints } from './store.ts'

export interface DispatcherDeps extends EndpointDeliveryDeps {
  readonly url: string
  readonly secretBox: SecretBox
  readonly timers: Timers
  onError(error: unknown): void
}

export interface Dispatcher {
  /** Waits for the calls in progress. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }

interface Running {
  readonly version: number
  readonly delivery: EndpointDelivery
  readonly loop: Loop
  isStopping: boolean
}

/** One delivery per endpoint, each at its own pace: a slow or dead endpoint delays no other. */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { db, timers, onError } = deps
  const deliveries = new Map<string, Running>()
  const setAside = new SetAside({ ...deps, reader: 'events-out.deliver-webhooks' })
  const leaderLock = askForLeaderLock({
    ...deps,
    name: 'webhooks',
    onNews: () => deliveries.forEach(({ loop }) => loop.wake()),
  })
  const manager = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      await follow((await leaderLock.isOurs()) ? await listActiveEndpoints(db) : [])
      return POLL_MS
    },
  })

  /** Stops the delivery of a changed endpoint, and starts a new one once it has ended. */
  async function follow(endpoints: readonly Endpoint[]): Promise<void> {
    const versions = new Map(endpoints.map(({ publicId, version }) => [publicId, version]))
    for (const [id, running] of deliveries) {
      if (running.version !== versions.get(id)) void end(id, running)
    }
    for (const endpoint of endpoints) {
      if (!deliveries.has(endpoint.publicId)) await tryToBegin(endpoint)
    }
    await setAside.save()
  }

  /** An endpoint whose secret cannot be decrypted gets nothing, and the others go on. */
  async function tryToBegin(endpoint: Endpoint): Promise<void> {
    try {
      deliveries.set(endpoint.publicId, await begin(endpoint))
      setAside.clear('webhook_endpoints', Number(endpoint.key))
    } catch (error) {
      setAside.refuse('webhook_endpoints', Number(endpoint.key), error)
    }
  }

  async function begin(endpoint: Endpoint): Promise<Running> {
    const secret = await deps.secretBox.open(endpoint.sealedSecret)
    const delivery = createEndpointDelivery(deps, { endpoint, secret })
    const loop = startLoop({
      timers,
      backoff: BACKOFF,
      onError,
      iterate: async () => ((await delivery.deliverBatch()) ? 0 : POLL_MS),
    })
    return { version: endpoint.version, delivery, loop, isStopping: false }
  }

  async function end(id: string, running: Running): Promise<void> {
    if (running.isStopping) return
    running.isStopping = true
    running.delivery.finish()
    await running.loop.stop()
    deliveries.delete(id)
  }

  return {
    async stop() {
      await manager.stop()
      await Promise.all(
        [...deliveries].map(async ([id, running]) => {
          await end(id, running)
          await running.loop.stop()
        }),
      )
      await leaderLock.stop()
      await deps.sender.close()
    },
  }
}
