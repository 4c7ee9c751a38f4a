import { optional, secret, text, whole } from './setting.ts'

/** What we send out: events for programs, mail for people. */
export const EVENT_SETTINGS = {
  EVENT_SINKS: text(
    'Where events are sent, separated by commas: `webhooks`, `redis` (a stream), `log`',
    { default: 'webhooks', pattern: '^(webhooks|redis|log)(, *(webhooks|redis|log))*$' },
  ),
  EVENT_STREAM: text('Redis stream that events are written to', {
    default: 'placard:events',
    minLength: 1,
  }),
  EVENT_STREAM_LENGTH_MAX: whole('Approximate maximum length of the stream', {
    minimum: 1_000,
    maximum: 100_000_000,
    default: 1_000_000,
  }),
  WEBHOOK_ALLOWED_HOSTS: text(
    'Hosts, separated by commas, that webhooks may call over plain HTTP or inside your own network',
    { default: '' },
  ),
  WEBHOOK_TIMEOUT_SECONDS: whole('How long a webhook endpoint may take to answer', {
    minimum: 1,
    maximum: 60,
    default: 15,
  }),
  WEBHOOK_ATTEMPTS_MAX: whole('Delivery attempts before an event becomes a dead letter', {
    minimum: 1,
    maximum: 50,
    default: 9,
  }),
  WEBHOOK_RETENTION_DAYS: whole('How long a finished delivery can be replayed', {
    minimum: 1,
    maximum: 90,
    default: 7,
  }),
  SMTP_URL: optional(
    secret(
      'Mail server for reports, alerts and sign-in links: `smtp://user:password@host:587`, or `smtps:`',
      { pattern: '^smtps?://' },
    ),
  ),
  MAIL_FROM: optional(text('Sender of mails: `Placard <ads@shop.example>`', { pattern: '@' })),
}
