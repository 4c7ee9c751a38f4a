import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Actor as Caller, ResourceDeps } from '../../../platform/resources/index.ts'
import type { Actor } from '../guard/services.ts'
import { addDecision, type Decision } from './store-decisions.ts'

export interface DecisionDeps {
  readonly db: Database
  readonly clock: Clock
  readonly audit: ResourceDeps['audit']
}

/** The reason of a decision, the person who decides, and the caller. */
export interface Grounds {
  readonly reasonCode: string
  readonly comment: string | null
  readonly actor: Actor
  readonly caller: Caller
}

type Subject = Pick<Decision, 'userId' | 'about' | 'blockActionId' | 'verdict'>

/** Runs in the transaction that acts on the decision, so a decision always has its reason. */
export async function recordDecision(
  { db, clock, audit }: DecisionDeps,
  subject: Subject,
  { reasonCode, comment, actor, caller }: Grounds,
): Promise<void> {
  const { userId, about, blockActionId, verdict } = subject
  await addDecision(db, {
    ...subject,
    deviceSessionId: null,
    reasonCode,
    comment,
    actorType: actor.type,
    actorId: actor.id,
    decidedAt: clock.now(),
  })
  await audit(db, {
    actor: caller,
    accountId: null,
    action: `geo-${about}.${verdict}`,
    entity: about === 'review' ? 'user' : 'block action',
    entityId: blockActionId ?? userId,
    before: null,
    after: { userId, reasonCode, comment },
  })
}
