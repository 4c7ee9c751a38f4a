import { bindJob } from '../../platform/jobs/job.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { Config } from '../../settings/config.ts'
import { linkParts, type LinkPartsDeps } from '../accounts/index.ts'
import { senderFor, type SenderSettings } from '../events-out/index.ts'
import { sendNoticesJob, trimNoticesJob } from './jobs.ts'
import { observeNotices } from './metrics.ts'
import { noticeRoutes, recipientLinkRoutes } from './routes.ts'
import { RECIPIENT_SECRETS } from './tables.ts'

export const NOTICE_JOBS = [sendNoticesJob, trimNoticesJob]

export type NoticesApiDeps = Pick<ProcessBase, keyof ResourceDeps> & LinkPartsDeps

/** Recipients and their notices over HTTP. */
export function noticesApi(deps: NoticesApiDeps): CapabilityModule {
  const parts = {
    ...deps,
    ...linkParts(deps),
    secretBox: deps.secretBoxFor(RECIPIENT_SECRETS.purpose),
  }
  return {
    name: 'notices',
    routes: [
      routeGroup('/api/v1/admin', noticeRoutes, parts),
      routeGroup('/api/v1', recipientLinkRoutes, parts),
    ],
  }
}

export interface NoticesWorkerDeps extends Pick<
  ProcessBase,
  'db' | 'clock' | 'random' | 'metrics' | 'source' | 'secretBoxFor'
> {
  readonly config: SenderSettings & Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>
}

/** Sends notices through the operator's mail server, or as calls made like webhooks. */
export function noticesWorker(deps: NoticesWorkerDeps): CapabilityModule {
  const { config, db, clock, random, metrics, source } = deps
  const { SMTP_URL: url, MAIL_FROM: from } = config
  const mailer = url && from ? createMailer({ url, from }) : undefined
  const sender = senderFor(deps)
  const observer = observeNotices({ registry: metrics, db, clock })
  const secretBox = deps.secretBoxFor(RECIPIENT_SECRETS.purpose)
  const notices = { db, clock, random, secretBox, mailer, sender, source, observer }
  return {
    name: 'notices',
    jobs: [
      bindJob(sendNoticesJob, { notices }, '* * * * *'),
      bindJob(trimNoticesJob, { db, clock }, '23 * * * *'),
    ],
    async stop() {
      mailer?.close()
      await sender.close()
    },
  }
}
