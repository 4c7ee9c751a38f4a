import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemRandom } from '../../../platform/random.ts'
import { idsFrom } from '../../../platform/ids.ts'
import { unpackEvents } from '../intake/packed-events.ts'
import { packSettlement } from './threaded-settler.ts'
import { createSettler, openIngestPool, type Settlement } from './settler.ts'
import type { SettlerAnswer, SettlerRequest, SettlerThreadOptions } from './threaded-settler.ts'

type SettleMessage = Exclude<SettlerRequest, { kind: 'close' }>

/** Runs in the settling thread: an ordinary settler with connections of its own. */
function run(port: MessagePort, { url, node, connectionsMax }: SettlerThreadOptions): void {
  let nowMs = 0
  const clock = { now: () => new Date(nowMs) }
  const pool = openIngestPool(url, connectionsMax)
  const ids = idsFrom({ clock, random: systemRandom })
  const settler = createSettler({ pool, node, clock, ids })
  const working = new Set<Promise<void>>()

  const settle = async (request: SettleMessage): Promise<Settlement> =>
    request.kind === 'staged'
      ? settler.staging.settle(request.ids, request)
      : settler.settle(unpackEvents(request.events), request)

  const answer = async (request: SettleMessage) => {
    const message = await settle(request).then(
      (settlement): SettlerAnswer => ({
        kind: 'settled',
        id: request.id,
        settlement: packSettlement(settlement),
      }),
      (error: Error & { code?: unknown }): SettlerAnswer => {
        return { kind: 'failed', id: request.id, error, code: error.code }
      },
    )
    port.postMessage(message)
  }
  port.on('message', (request: SettlerRequest) => {
    if (request.kind === 'close') {
      void Promise.all(working).then(close)
    } else {
      nowMs = Math.max(nowMs, request.atMs)
      const work = answer(request).finally(() => working.delete(work))
      working.add(work)
    }
  })
  const close = async () => {
    await pool.end()
    port.close()
  }
}

run(parentPort!, workerData as SettlerThreadOptions)
