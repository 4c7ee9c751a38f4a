import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { sayFailure } from './first-steps.ts'
import { saveOutcome } from './store.ts'

const SUBJECT = 'Placard can send mails'
const TEXT = `This is the test mail that you asked for. From now on Placard mails invitations, links to choose a password, reports and alerts.
`

export interface TestMailDeps {
  readonly db: Database
  readonly clock: Clock
  readonly mailer: Mailer | undefined
}

/** Sends a test mail once, and keeps what the mail server said. */
export const sendTestMailJob = defineJob({
  name: 'first-steps.send-test-mail',
  payload: Type.Object({ id: Type.String(), to: Type.String() }),
  retries: 0,
  backoff: { firstSeconds: 5, maxSeconds: 5 },
  timeoutSeconds: 60,
  concurrency: 1,
  async run({ id, to }, { db, clock, mailer }: TestMailDeps) {
    const failure = await send(mailer, { id, to })
    const acceptedAt = failure === null ? clock.now() : null
    await saveOutcome(db, { id, acceptedAt, failure })
  },
})

async function send(
  mailer: Mailer | undefined,
  { id, to }: { id: string; to: string },
): Promise<string | null> {
  if (!mailer) return 'The background process has no mail server: start it with the same settings.'
  return mailer.send({ id, to: [to], subject: SUBJECT, text: TEXT }).then(() => null, sayFailure)
}
