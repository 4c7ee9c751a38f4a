import type { Random } from '../../platform/random.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { toCloudEvent } from '../../platform/outbox/event.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { reasonOf } from '../../platform/set-aside/set-aside.ts'
import { isTaken, pauseMsAfter, type WebhookSender } from '../events-out/index.ts'
import { ATTEMPTS_MAX, eventTypeOf, type Way } from './notice.ts'
import {
  claimNotice,
  confirmWebhook,
  type DueNotice,
  giveUpLostMails,
  saveOutcome,
} from './store.ts'

export interface SendingDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly secretBox: SecretBox
  /** Undefined if no mail server is set. */
  readonly mailer: Mailer | undefined
  readonly sender: WebhookSender
  /** The `source` of every event: this installation. */
  readonly source: string
  readonly observer: NoticeObserver
}

export interface NoticeObserver {
  tried(way: Way, result: 'sent' | 'waiting' | 'failed'): void
}

const LEASE_MS = 10 * 60_000
const SENDERS = 4
const LOST = 'The process ended while it handed over the mail. The mail may have arrived.'

/** Sends due notices, a few at a time, and returns the number of attempts. */
export async function sendDueNotices(deps: SendingDeps, signal: AbortSignal): Promise<number> {
  await giveUpLostMails(deps.db, deps.clock.now(), LOST)
  let tried = 0
  const sendAll = async () => {
    while (!signal.aborted) {
      const now = deps.clock.now()
      const leaseUntil = new Date(now.getTime() + LEASE_MS)
      const notice = await claimNotice(deps.db, { now, leaseUntil })
      if (!notice) return
      await tryOnce(deps, notice)
      tried += 1
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sendAll))
  return tried
}

async function tryOnce(deps: SendingDeps, notice: DueNotice): Promise<void> {
  const { db, clock, random, observer } = deps
  const { key, way, attempts } = notice
  const error = await sendOnce(deps, notice)
  const now = clock.now()
  const isGreeted = error === undefined && notice.topic === 'greeting' && way === 'webhook'
  if (isGreeted) await confirmWebhook(db, { key, url: notice.webhookUrl!, now })
  const isLast = attempts >= ATTEMPTS_MAX
  const status = error === undefined ? 'sent' : isLast ? 'failed' : 'waiting'
  const pauseMs = status === 'waiting' ? pauseMsAfter(attempts, random.draw()) : 0
  const dueAt = new Date(now.getTime() + pauseMs)
  await saveOutcome(db, { key, status, dueAt, error: error ?? null, now })
  observer.tried(way, status)
}

/**
 * Returns why the notice was not accepted, or undefined. A notice that cannot be sent delays no
 * other.
 */
async function sendOnce(deps: SendingDeps, notice: DueNotice): Promise<string | undefined> {
  try {
    return await (notice.way === 'mail' ? mail(deps, notice) : call(deps, notice))
  } catch (error) {
    return reasonOf(error)
  }
}

async function mail(
  { mailer }: SendingDeps,
  { id, mailTo, subject, words, attachment, attachmentName }: DueNotice,
): Promise<string | undefined> {
  if (!mailer) return 'No mail server is set: SMTP_URL is empty.'
  if (mailTo.length === 0) return 'The recipient has no confirmed mail address.'
  await mailer.send({
    id,
    to: mailTo,
    subject,
    text: words,
    ...(attachment && { attachment: { name: attachmentName!, content: attachment } }),
  })
  return undefined
}

async function call(
  { sender, secretBox, source }: SendingDeps,
  notice: DueNotice,
): Promise<string | undefined> {
  const { id, topic, subject, words, data, webhookUrl, sealedSecret, createdAt } = notice
  if (webhookUrl === null) return 'The recipient has no confirmed webhook address.'
  const { attachment, attachmentName } = notice
  const event = {
    id,
    type: eventTypeOf(topic),
    subject: topic,
    time: createdAt,
    data: {
      ...data,
      subject,
      words,
      ...(attachment && { file: { name: attachmentName, content: attachment.toString() } }),
    },
  }
  const body = JSON.stringify(toCloudEvent(event, source))
  const secret = await secretBox.open(sealedSecret)
  const answer = await sender.send({ url: webhookUrl, secret, id, body })
  if (isTaken(answer)) return undefined
  return answer.error ?? `The recipient answered ${answer.status}.`
}
