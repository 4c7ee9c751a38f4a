import { Webhook } from 'standardwebhooks'
import { request } from 'undici'
import type { Clock } from '../../../platform/clock.ts'
import { guardedAgent, hostsIn } from '../../../platform/http/guarded-agent.ts'
import type { Resolve } from '../../../platform/http/guarded-lookup.ts'
import type { Config } from '../../../settings/config.ts'
import type { Answer } from './webhook.ts'

export interface Call {
  readonly url: string
  readonly secret: string
  /** The same at every attempt, so that receivers can drop duplicates. */
  readonly id: string
  readonly body: string
}

export interface WebhookSender {
  /** One attempt. Never throws for what the other side does. */
  send(call: Call): Promise<Answer>
  close(): Promise<void>
}

export interface SenderOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  /** Hosts that may be called although they are internal or not https. */
  readonly allowedHosts: readonly string[]
  readonly resolve?: Resolve
}

const CONNECTIONS_PER_HOST = 16
const ANSWER_BYTES_MAX = 65_536
const ERROR_CHARACTERS_MAX = 500

/** Calls endpoints, signed by Standard Webhooks. Never follows a redirect. */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { clock, timeoutMs } = options
  const { agent, refuse } = guardedAgent({
    ...options,
    setting: 'WEBHOOK_ALLOWED_HOSTS',
    connectionsPerHost: CONNECTIONS_PER_HOST,
  })

  return {
    async send(call) {
      try {
        refuse(call.url)
        const { statusCode, body } = await request(call.url, {
          dispatcher: agent,
          method: 'POST',
          headers: headersOf(call, clock.now()),
          body: call.body,
          signal: AbortSignal.timeout(timeoutMs),
        })
        await body.dump({ limit: ANSWER_BYTES_MAX })
        return { status: statusCode }
      } catch (error) {
        return { error: wordsOf(error) }
      }
    },
    close: () => agent.destroy(),
  }
}

const headersOf = ({ secret, id, body }: Call, now: Date) => ({
  'content-type': 'application/cloudevents+json; charset=utf-8',
  'user-agent': 'Placard',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
  'webhook-signature': new Webhook(secret).sign(id, now, body),
})

function wordsOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return (message || code || 'The call failed').slice(0, ERROR_CHARACTERS_MAX)
}

export type SenderSettings = Pick<Config, 'WEBHOOK_TIMEOUT_SECONDS' | 'WEBHOOK_ALLOWED_HOSTS'>

/** Calls endpoints as the operator's settings allow. */
export const senderFor = ({
  config,
  clock,
}: {
  readonly config: SenderSettings
  readonly clock: Clock
}): WebhookSender =>
  createWebhookSender({
    clock,
    timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1_000,
    allowedHosts: hostsIn(config.WEBHOOK_ALLOWED_HOSTS),
  })
