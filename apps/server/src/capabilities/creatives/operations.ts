import { ZoneClocks } from '@placard/calendar'
import { httpProblems } from '../../platform/http/problems.ts'
import { Problem } from '../../platform/problem.ts'
import {
  createRow,
  getRow,
  reviseRow,
  type Actor,
  type ResourceDeps,
  type Target,
  type Values,
} from '../../platform/resources/index.ts'
import { judgeApproval, type ApprovalAction, type ApprovalStatus } from './approvals/approval.ts'
import { calendarOf } from './banners/calendar.ts'
import { approvalProblems } from './problems.ts'
import { banner, creativeApproval, type REFERENCES } from './resources.ts'
import { lockReferences, upsertReferences } from './store.ts'

/** Asks a site to approve one of the caller's banners. */
export async function submitForApproval(
  deps: ResourceDeps,
  { body, actor }: { body: { bannerId: string; siteId: string }; actor: Actor },
): Promise<Values> {
  const { accountId } = await getRow(deps.db, banner, { publicId: body.bannerId, actor })
  return createRow(deps, creativeApproval, { body, actor, extra: { bannerAccountId: accountId } })
}

/** Approves or rejects, or revokes an earlier decision. Only the site's account may. */
export function decideApproval(
  deps: ResourceDeps,
  { action, reason, ...target }: Target & { action: ApprovalAction; reason?: string },
): Promise<Values> {
  return reviseRow(deps, creativeApproval, {
    ...target,
    action,
    revise(row) {
      const status = judgeApproval(row.status as ApprovalStatus, action)
      if (!status) {
        throw new Problem(
          approvalProblems.invalidTransition,
          `A banner that is ${String(row.status)} cannot be ${PARTICIPLES[action]}.`,
        )
      }
      const isDecided = status !== 'pending'
      return {
        status,
        reason: reason ?? null,
        decidedBy: isDecided ? (target.actor.principal.userId ?? null) : null,
        decidedAt: isDecided ? deps.clock.now() : null,
      }
    },
  })
}

const PARTICIPLES = {
  approve: 'approved',
  reject: 'rejected',
  revoke: 'revoked',
  flag: 'flagged',
  unflag: 'unflagged',
} as const

/** Switches a banner on or off. Its schedule stays. */
export const switchBanner = (
  deps: ResourceDeps,
  { isActive, ...target }: Target & { isActive: boolean },
): Promise<Values> =>
  reviseRow(deps, banner, {
    ...target,
    action: isActive ? 'activate' : 'deactivate',
    revise: () => ({ isActive }),
  })

interface Import {
  readonly resource: (typeof REFERENCES)[number]
  readonly items: readonly { readonly externalId: string; readonly name: string }[]
  readonly actor: Actor
}

/** Adds or renames references by their external id. A second import changes nothing. */
export async function importReferences(deps: ResourceDeps, { resource, items, actor }: Import) {
  const { db, ids, clock } = deps
  refuseRepeats(items)
  const externalIds = items.map(({ externalId }) => externalId)
  const met = await lockReferences(db, resource.table, externalIds)
  const rows = items.map((item) => ({ ...item, publicId: ids.next() }))
  const changed = await upsertReferences(db, resource.table, { rows, now: clock.now() })

  const known = new Set(met.map(({ externalId }) => externalId))
  const updated = new Set(changed.map(({ externalId }) => externalId).filter((id) => known.has(id)))
  if (changed.length > 0) {
    await deps.audit(db, {
      actor,
      accountId: null,
      action: `${resource.noun}.import`,
      entity: resource.noun,
      entityId: 'import',
      before: { rows: met.filter(({ externalId }) => updated.has(externalId!)) },
      after: { rows: changed },
    })
  }
  return {
    created: changed.length - updated.size,
    updated: updated.size,
    unchanged: items.length - changed.length,
  }
}

function refuseRepeats(items: Import['items']): void {
  const seen = new Set<string>()
  const faults = items.flatMap(({ externalId }, index) => {
    const isRepeat = seen.has(externalId)
    seen.add(externalId)
    return isRepeat ? [{ path: `body/items/${index}/externalId`, message: 'appears twice' }] : []
  })
  if (faults.length > 0) {
    throw new Problem(httpProblems.invalidRequest, 'Some external ids appear twice.', faults)
  }
}

interface CalendarQuestion extends Pick<Target, 'publicId' | 'actor'> {
  readonly from: string
  readonly days: number
}

/** When a banner shows, day by day, in the zone of its schedule. */
export async function readCalendar({ db }: ResourceDeps, question: CalendarQuestion) {
  const row = await getRow(db, banner, question)
  const timeZone = String(row.scheduleTimezone)
  const clock = new ZoneClocks().find(timeZone)
  if (!clock) throw new Error(`the banner has the unknown zone ${timeZone}`)
  return { timeZone, days: calendarOf(row, { ...question, clock }) }
}
