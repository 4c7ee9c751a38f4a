import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import type { Actor, ResourceDeps } from '../../../platform/resources/index.ts'
import { type Pacer, type PacerStatistics, sumUp } from './pacer.ts'
import { budgetProblems } from '../problems.ts'
import { countPacers, listPacers, type PacerCursor, type PacerFilter, sumPacers } from './reads.ts'
import { addAllowance } from './store-resets.ts'

/** A campaign the caller may see. */
export interface KnownCampaign {
  readonly id: bigint
  readonly accountId: bigint
  readonly publicId: string
}

export interface PacerDeps extends ResourceDeps {
  /** Throws its Problem for a campaign the caller may not see. */
  getCampaign(db: Database, actor: Actor, campaignId: string): Promise<KnownCampaign>
}

export interface PacerQuestion {
  readonly campaignId?: string | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly cursor?: string | undefined
}

const COUNTED_MAX = 10_000

/** A page of pacers, latest change first, by page number or by cursor. */
export async function pageOfPacers(
  { db, clock }: { db: Database; clock: Clock },
  principal: Principal,
  { page = 1, pageSize = 20, cursor, campaignId }: PacerQuestion,
) {
  const filter = filterOf(clock, principal, campaignId)
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  const offset = after === undefined ? offsetOf({ page, pageSize }) : 0
  const rows = await listPacers(db, filter, { offset, after, limit: pageSize + 1 })
  const counted = await countPacers(db, filter, COUNTED_MAX + 1)
  const totalCount = Math.min(counted, COUNTED_MAX)
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
  return {
    rows: rows.slice(0, pageSize),
    totalCount,
    isTotalCapped: counted > COUNTED_MAX,
    page,
    pageSize,
    totalPages: Math.ceil(totalCount / pageSize),
    ...(last && { nextCursor: writeCursor({ time: last.lastUpdated, id: last.campaignId }) }),
  }
}

export async function getPacer(deps: PacerDeps, actor: Actor, campaignId: string): Promise<Pacer> {
  await deps.getCampaign(deps.db, actor, campaignId)
  const filter = filterOf(deps.clock, actor.principal, campaignId)
  const [pacer] = await listPacers(deps.db, filter, { offset: 0, after: undefined, limit: 1 })
  if (pacer) return pacer
  throw new Problem(budgetProblems.notFound, `campaign ${campaignId}`)
}

export async function pacerStatistics(
  { db, clock }: { db: Database; clock: Clock },
  principal: Principal,
): Promise<PacerStatistics & { currencies: (PacerStatistics & { currency: string })[] }> {
  const sums = await sumPacers(db, filterOf(clock, principal, undefined))
  const currencies = sums.map((sum) => ({ currency: sum.currency, ...sumUp([sum]) }))
  return { ...sumUp(sums), currencies }
}

/** Lets a campaign spend its day again. Runs in the caller's transaction. */
export async function resetDay(deps: PacerDeps, actor: Actor, campaignId: string): Promise<Pacer> {
  const { db, clock } = deps
  const campaign = await deps.getCampaign(db, actor, campaignId)
  const by = actor.principal.id
  const micros = await addAllowance(db, { campaignKey: campaign.id, at: clock.now(), by })
  if (micros > 0n) {
    await deps.audit(db, {
      actor,
      accountId: campaign.accountId,
      action: 'reset-budget',
      entity: 'campaigns',
      entityId: campaign.publicId,
      before: { spentTodayMicros: String(micros) },
      after: { spentTodayMicros: '0' },
    })
  }
  return getPacer(deps, actor, campaignId)
}

const filterOf = (
  clock: Clock,
  { isPlatform, accountId }: Principal,
  campaignId: string | undefined,
): PacerFilter => ({ at: clock.now(), accountId: isPlatform ? undefined : accountId, campaignId })

function offsetOf({ page, pageSize }: { page: number; pageSize: number }): number {
  const offset = (page - 1) * pageSize
  if (offset <= COUNTED_MAX) return offset
  throw new Problem(httpProblems.invalidRequest, 'Page numbers reach the first 10,000 pacers.', [
    { path: 'querystring/page', message: 'is too high; continue with the cursor' },
  ])
}

const writeCursor = ({ time, id }: PacerCursor) => `${time.getTime().toString(36)}.${id}`

function parseCursor(text: string): PacerCursor {
  const [, time, id] = CURSOR.exec(text) ?? []
  if (time !== undefined && id !== undefined)
    return { time: new Date(Number.parseInt(time, 36)), id }
  throw new Problem(httpProblems.invalidRequest, 'The cursor does not belong to this list.', [
    { path: 'querystring/cursor', message: 'is not a nextCursor of this list' },
  ])
}

const CURSOR = /^([0-9a-z]{1,9})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
