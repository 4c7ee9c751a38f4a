import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { CloudEvent } from '../../platform/outbox/event.ts'
import { systemTimers } from '../../platform/background/timers.ts'
import { openSecretBox } from '../../platform/secret-box.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import { startDispatcher } from './delivery/dispatcher.ts'
import { createEndpoint } from './webhooks/operations.ts'
import { createWebhookSender } from './delivery/webhook-client.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: CloudEvent
}

/** How the receiver handles a call: the status of its answer, possibly later. */
export type Behaviour = (call: Received) => number | Promise<number>

/** A receiver of webhooks on its own port, which keeps the calls it accepted. */
export async function startReceiver(behave: Behaviour = () => 204) {
  const calls: Received[] = []
  const taken: CloudEvent[] = []
  const answer = async (call: Received, response: ServerResponse) => {
    const status = await behave(call)
    if (status < 300) taken.push(call.event)
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const call = { headers: request.headers, body, event: JSON.parse(body) as CloudEvent }
      calls.push(call)
      void answer(call, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/events`, calls, taken }
}

const SOURCE = 'urn:placard:test'
const IMPATIENCE_MS = 1_000

/** Webhooks on the test's own database, with an operator who creates endpoints. */
export async function aWebhookWorld({ allowedHosts = ['localhost'], attemptsMax = 3 } = {}) {
  const connection = await freshDatabase()
  const deps = {
    ...depsOn(connection),
    secretBox: openSecretBox('a secret for tests, long enough to encrypt', 'webhooks'),
    source: SOURCE,
  }
  const account = await addAccount(deps, 'platform')
  const actor = actorOf(account)
  const tried: string[] = []
  const switchedOff: string[] = []
  const errors: unknown[] = []
  return {
    ...connection,
    deps,
    actor,
    tried,
    switchedOff,
    errors,
    addEndpoint: (url: string, eventTypes: readonly string[] = ['campaign.state-changed.v1']) =>
      deps.db.transaction((db) =>
        createEndpoint({ ...deps, db }, { body: { name: 'A receiver', url, eventTypes }, actor }),
      ),
    start() {
      const sender = createWebhookSender({
        clock: deps.clock,
        timeoutMs: IMPATIENCE_MS,
        allowedHosts,
      })
      const dispatcher = startDispatcher({
        ...deps,
        url: connection.url,
        timers: QUICK,
        sender,
        attemptsMax,
        observer: {
          tried: (result) => tried.push(result),
          switchedOff: (_, reason) => switchedOff.push(reason),
        },
        onError: (error) => errors.push(error),
      })
      onTestFinished(() => dispatcher.stop())
      return dispatcher
    },
  }
}

/** Timers that turn seconds and minutes into milliseconds. */
const QUICK: typeof systemTimers = {
  after: (ms, call) => systemTimers.after(Math.min(ms, 20), call),
}
