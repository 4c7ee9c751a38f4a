import type { Jobs } from '../../../platform/jobs/job.ts'
import type { ProcessBase } from '../../../platform/module.ts'
import type { Config } from '../../../settings/config.ts'
import { personalMails } from '../mails/mails.ts'
import type { LinkDeps } from './links.ts'

/** Encrypts mails while they wait in the queue. */
export const MAILS = 'personal mails'

export type MailSettings = Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>

export interface LinkPartsDeps extends Pick<ProcessBase, 'ids' | 'secretBoxFor'> {
  readonly config: MailSettings & Pick<Config, 'PUBLIC_URL'>
  readonly jobs: Jobs | undefined
}

/** How links reach people: by mail, if it is set up. */
export function linkParts(deps: LinkPartsDeps): Pick<LinkDeps, 'mails' | 'linkSettings'> {
  const { config, ids } = deps
  const isMailSet = Boolean(config.SMTP_URL && config.MAIL_FROM)
  const jobs = isMailSet ? deps.jobs : undefined
  return {
    mails: personalMails({ jobs, ids, secretBox: deps.secretBoxFor(MAILS) }),
    linkSettings: { publicUrl: config.PUBLIC_URL?.replace(/\/+$/, '') },
  }
}
