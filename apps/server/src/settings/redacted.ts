import { optional, secret, text, whole } from './setting.ts'

/** What is told outside: events to programs, notices to people. */
export const TOLD_SETTINGS = {
  EVENT_SINKS: text(
    'Where events are told, separated by commas: `webhooks`, `redis` (a stream), `log`',
    { default: 'webhooks', pattern: '^(webhooks|redis|log)(, *(webhooks|redis|log))*$' },
  ),
  EVENT_STREAM: text('The Redis stream that events go to', {
    default: 'placard:events',
    minLength: 1,
  }),
  EVENT_STREAM_LENGTH_MAX: whole('About how many events that stream keeps', {
    minimum: 1_000,
    maximum: 100_000_000,
    default: 1_000_000,
  }),
  WEBHOOK_ALLOWED_HOSTS: text(
    'Hosts, separated by commas, that webhooks may call in the clear or inside our own network',
    { default: '' },
  ),
  WEBHOOK_TIMEOUT_SECONDS: whole('How long an endpoint may take to answer', {
    minimum: 1,
    maximum: 60,
    default: 15,
  }),
  WEBHOOK_ATTEMPTS_MAX: whole('How often an event is tried before it is given up', {
    minimum: 1,
    maximum: 50,
    default: 9,
  }),
  WEBHOOK_RETENTION_DAYS: whole('How long a finished delivery is kept for a replay', {
    minimum: 1,
    maximum: 90,
    default: 7,
  }),
  SMTP_URL: optional(
    secret(
      'Server that mails of reports and alerts go to: `smtp://user:password@host:587`, or `smtps:`',
      { pattern: '^smtps?://' },
    ),
  ),
  MAIL_FROM: optional(
    text('Sender of these mails: `Placard <ads@shop.example>`', { pattern: '@' }),
  ),
}
