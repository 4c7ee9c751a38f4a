import { pino } from 'pino'
import { onTestFinished, vi } from 'vitest'
import { accountsWorker } from '../../capabilities/accounts/module.ts'
import { firstStepsWorker } from '../../capabilities/first-steps/module.ts'
import { JOBS } from '../../compose/jobs.ts'
import { openJobs } from '../../platform/jobs/open.ts'
import { openSecretBox } from '../../platform/secret-box.ts'
import { readConfig } from '../../settings/config.ts'
import { freshDatabase } from '../services/database.ts'
import { startMailServer } from '../services/mail-server.ts'
import { SECRETS, startServerOn } from '../server.ts'

/** Placard with a mail server, a job queue and a worker that empties it. */
export async function startMailing(given: Record<string, string> = {}, refuse?: () => string) {
  const mail = await startMailServer(refuse)
  const connection = await freshDatabase()
  const settings = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Placard <ads@test.example>',
    PUBLIC_URL: 'https://ads.test.example',
    ...given,
  }
  const server = await startServerOn(connection, { settings })
  const jobs = await openJobs({
    config: {},
    db: connection.db,
    url: connection.url,
    random: server.deps.random,
    log: pino({ level: 'silent' }),
    role: 'worker',
    jobs: JOBS,
    observer: { started: () => {}, succeeded: () => {}, failed: () => {} },
  })
  onTestFinished(() => jobs.stop())
  const base = {
    ...server.deps,
    config: readConfig(settings),
    secretBoxFor: (purpose: string) => openSecretBox(SECRETS.encryptionSecret, purpose),
  }
  const workers = [accountsWorker(base), firstStepsWorker(base)]
  onTestFinished(async () => void (await Promise.all(workers.map(async ({ stop }) => stop?.()))))
  await jobs.work(workers.flatMap((worker) => worker.jobs ?? []))
  const mailing = await startServerOn(connection, { settings, jobs, deps: server.deps })
  const mailTo = (email: string, subject: RegExp) =>
    vi.waitFor(
      () => {
        const found = mail.mails.find(({ to, raw }) => to.includes(email) && subject.test(raw))
        if (!found) throw new Error(`no mail ${String(subject)} for ${email} yet`)
        return found.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
      },
      { timeout: 20_000, interval: 50 },
    )
  return { ...mailing, settings, mails: mail.mails, mailTo }
}
