import { onTestFinished } from 'vitest'
import { createMailer } from '../../platform/mail/mailer.ts'
import { openSecretBox } from '../../platform/secret-box.ts'
import { actorOf, type TestDeps } from '../../testing/world.ts'
import type { Values } from '../../platform/resources/index.ts'
import { createWebhookSender } from '../events-out/index.ts'
import { confirmRecipient } from './confirming.ts'
import { createRecipient } from './operations.ts'
import { sendDueNotices, type SendingDeps } from './sending.ts'

const CALL_TIMEOUT_MS = 2_000

/** Recipients of a test's accounts, and a worker that sends on demand. */
export function noticesOn(deps: TestDeps, { smtpUrl }: { smtpUrl?: string } = {}) {
  const secretBox = openSecretBox('a secret for tests, long enough to encrypt', 'recipients')
  const mailer = smtpUrl
    ? createMailer({ url: smtpUrl, from: 'Placard <ads@placard.example>' })
    : undefined
  const sender = createWebhookSender({
    clock: deps.clock,
    timeoutMs: CALL_TIMEOUT_MS,
    allowedHosts: ['localhost'],
  })
  onTestFinished(async () => {
    mailer?.close()
    await sender.close()
  })
  const tried: string[] = []
  const sending: SendingDeps = {
    ...deps,
    secretBox,
    mailer,
    sender,
    source: 'urn:placard:test',
    observer: { tried: (way, result) => tried.push(`${way} ${result}`) },
  }
  const { signal } = new AbortController()
  const links = {
    mails: { areSent: false, async send() {} },
    linkSettings: { publicUrl: undefined },
  }
  const addUnconfirmedRecipient = (
    account: { id: bigint; kind: string },
    body: Values,
    permissions = ['users:write'],
  ) =>
    deps.db.transaction((db) =>
      createRecipient(
        { ...deps, ...links, db, secretBox },
        { body: { name: 'The team', ...body }, actor: actorOf(account, permissions) },
      ),
    )
  return {
    tried,
    /** A recipient that has agreed. */
    async addRecipient(account: { id: bigint; kind: string }, body: Values) {
      const added = await addUnconfirmedRecipient(account, body)
      await deps.db.execute(
        `update recipients set confirmed_mail = mail_to, confirmed_webhook = webhook_url
          where id = ${String(added.record.id)}`,
      )
      await deps.db.execute(`delete from notices where topic = 'greeting'`)
      return added
    },
    addUnconfirmedRecipient,
    confirm: (link: string) => confirmRecipient({ ...deps, ...links }, link.split('#')[1]!),
    sendDue: () => sendDueNotices(sending, signal),
    async list() {
      const { rows } = await deps.db.execute(
        'select way, topic, status, attempts, last_error, words, attachment is null as is_bare from notices order by id',
      )
      return rows
    },
  }
}
