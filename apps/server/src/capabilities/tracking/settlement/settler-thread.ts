import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemRandom } from '../../../platform/random.ts'
import { idsFrom } from '../../../platform/ids.ts'
import { unpackEvents } from '../intake/packed-events.ts'
import { packSettlement } from './packed-settlement.ts'
import { createSettler, openIngestPool, type Settlement } from './settler.ts'
import type { SettlerAnswer, SettlerRequest, SettlerThreadOptions } from './threaded-settler.ts'

type Order = Exclude<SettlerRequest, { kind: 'close' }>

/** Runs in the settling thread: an ordinary settler with connections of its own. */
function run(port: MessagePort, { url, node, connectionsMax }: SettlerThreadOptions): void {
  let nowMs = 0
  const clock = { now: () => new Date(nowMs) }
  const pool = openIngestPool(url, connectionsMax)
  const ids = idsFrom({ clock, random: systemRandom })
  const settler = createSettler({ pool, node, clock, ids })
  const working = new Set<Promise<void>>()

  const settle = async (order: Order): Promise<Settlement> =>
    order.kind === 'notes'
      ? settler.inbox.settle(order.ids, order)
      : settler.settle(unpackEvents(order.events), order)

  const obey = async (order: Order) => {
    const answer = await settle(order).then(
      (settlement): SettlerAnswer => ({
        kind: 'settled',
        id: order.id,
        settlement: packSettlement(settlement),
      }),
      (error: Error & { code?: unknown }): SettlerAnswer => {
        return { kind: 'failed', id: order.id, error, code: error.code }
      },
    )
    port.postMessage(answer)
  }
  port.on('message', (request: SettlerRequest) => {
    if (request.kind === 'close') {
      void Promise.all(working).then(close)
    } else {
      nowMs = Math.max(nowMs, request.atMs)
      const work = obey(request).finally(() => working.delete(work))
      working.add(work)
    }
  })
  const close = async () => {
    await pool.end()
    port.close()
  }
}

run(parentPort!, workerData as SettlerThreadOptions)
