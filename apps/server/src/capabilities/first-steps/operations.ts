import type { Jobs } from '../../platform/jobs/job.ts'
import { Problem } from '../../platform/problem.ts'
import type { Actor, ResourceDeps } from '../../platform/resources/index.ts'
import { isOpen, type MailSettings, missingSettings, type Step, stepsOf } from './first-steps.ts'
import { sendTestMailJob } from './jobs.ts'
import { firstStepProblems } from './problems.ts'
import { findEmail, type Kept, readFacts, readKept, saveAsked, savePutAside } from './store.ts'

export interface FirstStepDeps extends Pick<ResourceDeps, 'db' | 'clock' | 'ids' | 'audit'> {
  readonly mailSettings: MailSettings
  readonly isProduction: boolean
  readonly jobs: Jobs | undefined
}

export interface CheckList {
  readonly isOpen: boolean
  readonly isPutAside: boolean
  readonly steps: readonly Step[]
  readonly mail: Omit<Kept, 'putAsideAt'> & { readonly missingSettings: readonly string[] }
}

export async function readCheckList(deps: Omit<FirstStepDeps, 'ids'>): Promise<CheckList> {
  const { putAsideAt, ...mail } = await readKept(deps.db)
  const steps = stepsOf(await readFacts(deps.db))
  const isPutAside = putAsideAt !== null
  return {
    isOpen: isOpen({ steps, isPutAside, isProduction: deps.isProduction }),
    isPutAside,
    steps,
    mail: { ...mail, missingSettings: missingSettings(deps.mailSettings) },
  }
}

export async function putAside(
  deps: FirstStepDeps,
  { actor, isPutAside }: { actor: Actor; isPutAside: boolean },
): Promise<CheckList> {
  await savePutAside(deps.db, isPutAside ? deps.clock.now() : null)
  await auditChange(deps, actor, isPutAside ? 'put-aside' : 'show')
  return readCheckList(deps)
}

/** Queues a mail to the caller's own address. */
export async function askForTestMail(deps: FirstStepDeps, actor: Actor): Promise<string> {
  const { db, ids, clock, jobs } = deps
  const { userId } = actor.principal
  const to = userId === undefined ? undefined : await findEmail(db, userId)
  if (to === undefined) throw new Problem(firstStepProblems.noAddress, 'The caller is an API key.')
  const missing = missingSettings(deps.mailSettings)
  if (!jobs || missing.length > 0) {
    throw new Problem(firstStepProblems.mailNotSet, `Not set: ${missing.join(', ')}.`)
  }
  const id = ids.next()
  await saveAsked(db, { id, at: clock.now() })
  await jobs.enqueue(db, sendTestMailJob, { payload: { id, to } })
  await auditChange(deps, actor, 'test-mail')
  return to
}

const auditChange = ({ db, audit }: FirstStepDeps, actor: Actor, action: string) =>
  audit(db, {
    actor,
    accountId: actor.principal.accountId,
    action: `first-steps.${action}`,
    entity: 'first-steps',
    entityId: 'platform',
  })
