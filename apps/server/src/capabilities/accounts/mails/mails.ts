import { Type } from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Jobs } from '../../../platform/jobs/job.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Mailer } from '../../../platform/mail/mailer.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'

export interface PersonalMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Mails to one person about their own sign-in. */
export interface Mails {
  /** False if no mail server is set. Then nothing is sent, and links are handed over by hand. */
  readonly areSent: boolean
  /** Part of the caller's transaction: after a rollback nothing is sent. */
  send(db: Database, mail: PersonalMail): Promise<void>
}

export interface MailsDeps {
  /** The queue. Undefined if no mail server is set. */
  readonly jobs: Jobs | undefined
  readonly ids: Ids
  readonly secretBox: SecretBox
}

/** The text is queued encrypted: it may hold a link that signs somebody in. */
export function personalMails({ jobs, ids, secretBox }: MailsDeps): Mails {
  return {
    areSent: jobs !== undefined,
    async send(db, { to, ...words }) {
      if (!jobs) return
      const sealed = await secretBox.seal(JSON.stringify(words))
      await jobs.enqueue(db, sendMailJob, { payload: { id: ids.next(), to, sealed } })
    },
  }
}

export interface SendMailDeps {
  readonly mailer: Mailer | undefined
  readonly secretBox: SecretBox
}

/** If the mail server was removed meanwhile, queued mails are dropped. */
export const sendMailJob = defineJob({
  name: 'accounts.send-mail',
  payload: Type.Object({ id: Type.String(), to: Type.String(), sealed: Type.String() }),
  retries: 6,
  backoff: { firstSeconds: 5, maxSeconds: 300 },
  timeoutSeconds: 60,
  concurrency: 2,
  async run({ id, to, sealed }, { mailer, secretBox }: SendMailDeps) {
    const words = JSON.parse(await secretBox.open(sealed)) as Omit<PersonalMail, 'to'>
    await mailer?.send({ id, to: [to], ...words })
  },
})
