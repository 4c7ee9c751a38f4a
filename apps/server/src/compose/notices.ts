import { observeNotices } from '../capabilities/notices/index.ts'
import { recipientSecretBox, sourceOf, type Surroundings } from './api.ts'
import { senderOf } from './events.ts'
import { createMailer } from '../platform/mail/mailer.ts'

/** What sends notices: the operator's mail server, and calls as webhooks are made. */
export function composeNotices(surroundings: Surroundings) {
  const { config, db, clock, random, metrics } = surroundings
  const { SMTP_URL: url, MAIL_FROM: from } = config
  const mailer = url && from ? createMailer({ url, from }) : undefined
  const sender = senderOf(surroundings)
  const observer = observeNotices({ registry: metrics, db, clock })
  const secretBox = recipientSecretBox(surroundings)
  return {
    sending: { db, clock, random, secretBox, mailer, sender, source: sourceOf(config), observer },
    async stop() {
      mailer?.close()
      await sender.close()
    },
  }
}
