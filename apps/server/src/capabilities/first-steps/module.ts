import { bindJob, type Jobs } from '../../platform/jobs/job.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { Config } from '../../settings/config.ts'
import { sendTestMailJob } from './jobs.ts'
import { firstStepRoutes } from './routes.ts'

export const FIRST_STEP_JOBS = [sendTestMailJob]

export interface FirstStepsApiDeps extends Pick<ProcessBase, 'db' | 'clock' | 'ids' | 'audit'> {
  readonly config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'PLACARD_MODE'>
  readonly jobs: Jobs | undefined
}

/** The check-list over HTTP. */
export const firstStepsApi = ({ config, ...deps }: FirstStepsApiDeps): CapabilityModule => ({
  name: 'first-steps',
  routes: [
    routeGroup('/api/v1/admin', firstStepRoutes, {
      ...deps,
      mailSettings: config,
      isProduction: config.PLACARD_MODE === 'production',
    }),
  ],
})

export interface FirstStepsWorkerDeps extends Pick<ProcessBase, 'db' | 'clock'> {
  readonly config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>
}

/** Sends test mails. */
export function firstStepsWorker({ config, db, clock }: FirstStepsWorkerDeps): CapabilityModule {
  const { SMTP_URL: url, MAIL_FROM: from } = config
  const mailer = url && from ? createMailer({ url, from }) : undefined
  return {
    name: 'first-steps',
    jobs: [bindJob(sendTestMailJob, { db, clock, mailer })],
    async stop() {
      mailer?.close()
    },
  }
}
