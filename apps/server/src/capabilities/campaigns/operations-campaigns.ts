import type { Database } from '../../platform/database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import {
  present,
  reviseRow,
  type ResourceDeps,
  type Target,
  type Values,
} from '../../platform/resources/index.ts'
import {
  ACTIONS,
  dueState,
  judgeMove,
  moved,
  type CampaignAction,
  type CampaignState,
  type FlyingCampaign,
  type MoveVerdict,
} from './campaign.ts'
import { campaignProblems } from './problems.ts'
import { listCappedOut } from './reads-capped.ts'
import { campaign } from './resources.ts'
import { lockDueCampaigns, saveState } from './store.ts'

export interface CampaignStateChanged {
  readonly campaignId: string
  readonly advertiserId: string
  readonly from: CampaignState
  readonly to: CampaignState
  readonly changedAt: Date
}

/** Called in the transaction of the change. */
export interface CampaignEvents {
  campaignStateChanged(db: Database, event: CampaignStateChanged): Promise<void>
}

export interface CampaignDeps extends ResourceDeps {
  readonly events: CampaignEvents
}

/** Moves a campaign to another state, at a person's request. */
export async function moveCampaign(
  deps: CampaignDeps,
  { action, ...target }: Target & { readonly action: CampaignAction },
): Promise<Values> {
  const to = ACTIONS[action]
  const changedAt = deps.clock.now()
  let from: CampaignState | undefined

  const record = await reviseRow(deps, campaign, {
    ...target,
    action,
    revise(row) {
      const flying = row as Values & FlyingCampaign
      const move = { to, now: changedAt, by: 'person' } as const
      refuse(judgeMove(flying, move), { from: flying.status, to })
      from = flying.status
      return moved(flying, move)
    },
  })
  const { id, advertiserId } = present(campaign, record) as { id: string; advertiserId: string }
  await deps.events.campaignStateChanged(deps.db, {
    campaignId: id,
    advertiserId,
    from: from!,
    to,
    changedAt,
  })
  return record
}

const REFUSALS: Readonly<Record<Exclude<MoveVerdict, 'allowed'>, string>> = {
  'not-from-here': 'The state does not allow it.',
  'needs-future-start': 'First set startsAt to a time in the future.',
  'already-over': 'Its endsAt has passed. First move or clear it.',
}

function refuse(
  verdict: MoveVerdict,
  { from, to }: { from: CampaignState; to: CampaignState },
): void {
  if (verdict === 'allowed') return
  throw new Problem(
    campaignProblems.invalidTransition,
    `From ${from} to ${to}. ${REFUSALS[verdict]}`,
  )
}

const DUE_MAX = 500

export type ScheduleDeps = Pick<CampaignDeps, 'db' | 'clock' | 'events'>

/**
 * Moves campaigns whose dates are due or whose limits are used up, at most one page, and returns
 * their number. Safe to repeat and to run in parallel.
 */
export function moveDueCampaigns({ db, clock, events }: ScheduleDeps): Promise<number> {
  return db.transaction(async (db) => {
    const now = clock.now()
    const cappedOut = await listCappedOut(db, { limit: DUE_MAX })
    const due = await lockDueCampaigns(db, { now, limit: DUE_MAX, cappedOut })
    for (const to of ['active', 'ended'] as const) {
      const moving = due.filter((campaign) => {
        const isCappedOut = cappedOut.includes(campaign.id)
        return dueState({ ...campaign, isCappedOut }, now) === to
      })
      if (moving.length === 0) continue
      await saveState(db, { ids: moving.map(({ id }) => id), status: to, now })
      for (const { publicId, advertiserPublicId, status: from } of moving) {
        await events.campaignStateChanged(db, {
          campaignId: publicId,
          advertiserId: advertiserPublicId,
          from,
          to,
          changedAt: now,
        })
      }
    }
    return due.length
  })
}
