export { startDispatcher } from './delivery/dispatcher.ts'
export { trimEventsJob } from './jobs.ts'
export { observeWebhooks } from './metrics.ts'
export { redisSink } from './sinks/redis-sink.ts'
export { webhookRoutes } from './webhooks/routes.ts'
export {
  createWebhookSender,
  senderFor,
  type SenderSettings,
  type WebhookSender,
} from './delivery/webhook-client.ts'
export { EVENT_SOURCES } from './sources/sources.ts'
export { listWebhookSinks } from './delivery/store.ts'
export { isTaken, judgeUrl, pauseMsAfter } from './delivery/webhook.ts'
