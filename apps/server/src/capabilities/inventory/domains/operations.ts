import type { Jobs } from '../../../platform/jobs/job.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Actor, ResourceDeps } from '../../../platform/resources/index.ts'
import { getLiveSite } from '../operations.ts'
import { siteProblems } from '../problems.ts'
import { filesOf, lineOf, recordNameOf } from './domain.ts'
import { checkDomainJob } from './jobs.ts'
import { type Claim, findCheck, isHeldByAnother, saveCheck, saveProof } from './store.ts'

interface SiteTarget {
  readonly siteId: string
  readonly actor: Actor
}

/** How the domain stands, and what the publisher puts where. */
export async function getDomain({ db }: Pick<ResourceDeps, 'db'>, target: SiteTarget) {
  const row = await getLiveSite({ db }, target)
  const check = await findCheck(db, row.id)
  const { domain, domainToken: token } = row
  const line = lineOf(token)
  return {
    domain,
    state: row.domainState,
    provenAt: row.domainProvenAt?.toISOString() ?? null,
    provenBy: row.domainProvenBy,
    record: domain === 'localhost' ? null : { type: 'TXT', name: recordNameOf(domain), line },
    files: filesOf({ ...row, token }).map((url) => ({ url, line })),
    isChecking: isWaiting(check),
    checkedAt: check?.checkedAt?.toISOString() ?? null,
    nextCheckAt: check?.nextAt?.toISOString() ?? null,
    failingSince: check?.failingSince?.toISOString() ?? null,
    faults: check?.faults ?? [],
  }
}

type Check = Awaited<ReturnType<typeof findCheck>>

const isWaiting = (check: Check) =>
  check?.orderedAt != null && (check.checkedAt === null || check.checkedAt < check.orderedAt)

/** Looks follow each other no faster: the domain may be a stranger's. */
const PAUSE_MS = 10_000

/** Orders a look now. A look that waits, or has just been, is not ordered again. */
export async function orderCheck(
  deps: ResourceDeps & { readonly jobs: Jobs | undefined },
  target: SiteTarget,
) {
  const { db, clock, jobs } = deps
  const { id } = await getLiveSite(deps, target)
  if (!jobs) throw new Problem(siteProblems.noChecks, 'Ask a node that has a queue.')
  const now = clock.now()
  const check = await findCheck(db, id)
  if (now.getTime() - (check?.orderedAt?.getTime() ?? 0) >= PAUSE_MS) {
    await saveCheck(db, { siteId: id, orderedAt: now })
    await jobs.enqueue(db, checkDomainJob, { payload: { siteKey: String(id) } })
  }
  return getDomain(deps, target)
}

/** An operator has made sure in another way that the publisher has the domain. */
export async function confirmDomain(deps: ResourceDeps, target: SiteTarget & { reason: string }) {
  const row = await getLiveSite(deps, target)
  await prove(deps, { id: row.id, domain: row.domain })
  await auditDomain(deps, row, { ...target, action: 'confirm-domain' })
  return getDomain(deps, target)
}

/** The domain counts as unproven from now on, until it is proven again. */
export async function withdrawDomain(deps: ResourceDeps, target: SiteTarget & { reason: string }) {
  const { db, clock } = deps
  const row = await getLiveSite(deps, target)
  if (row.domainState === 'unproven') {
    throw new Problem(siteProblems.domainUnproven, `${row.domain} is not proven.`)
  }
  const now = clock.now()
  await saveProof(db, row.id, { provenBy: null, now })
  await saveCheck(db, { siteId: row.id, looks: 0, failingSince: null, nextAt: null, faults: [] })
  await auditDomain(deps, row, { ...target, action: 'withdraw-domain' })
  return getDomain(deps, target)
}

async function prove(deps: ResourceDeps, site: Pick<Claim, 'id' | 'domain'>): Promise<void> {
  if (await isHeldByAnother(deps.db, site)) throw new Problem(siteProblems.domainHeld, site.domain)
  await saveProof(deps.db, site.id, { provenBy: 'operator', now: deps.clock.now() })
  await saveCheck(deps.db, { siteId: site.id, nextAt: null, failingSince: null, faults: [] })
}

interface Decided extends SiteTarget {
  readonly action: 'confirm-domain' | 'withdraw-domain'
  readonly reason: string
}

const auditDomain = (
  deps: ResourceDeps,
  { accountId, publicId, domain }: { accountId: bigint; publicId: string; domain: string },
  { actor, action, reason }: Decided,
): Promise<void> =>
  deps.audit(deps.db, {
    actor,
    accountId,
    action: `site.${action}`,
    entity: 'site',
    entityId: publicId,
    after: { domain, reason },
  })
