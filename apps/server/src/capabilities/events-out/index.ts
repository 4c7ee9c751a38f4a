export {
  createWebhookSender,
  senderFor,
  type SenderSettings,
  type WebhookSender,
} from './delivery/webhook-client.ts'
export { isTaken, pauseMsAfter } from './delivery/webhook.ts'
