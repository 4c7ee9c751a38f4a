import type { Actor, ResourceDeps } from '../../../platform/resources/index.ts'
import { addDecision, findDecisionByHand } from '../review/store-decisions.ts'
import { recordUnblocked } from './operations-blocks.ts'

interface SessionDecision {
  readonly userId: string
  readonly publicId: string
  readonly actor: Actor
  readonly verdict: 'block' | 'unblock'
  readonly reasonCode: string
}

/** Keeps what a person decided about a session by hand, beside the decisions of this capability. */
export async function sessionDecided(deps: ResourceDeps, decision: SessionDecision): Promise<void> {
  const { publicId: deviceSessionId, actor, verdict, reasonCode } = decision
  const by = actorOf(actor)
  if (verdict === 'unblock') {
    const grounds = { reasonCode, comment: null, actor: by, caller: actor }
    if (await recordUnblocked(deps, { deviceSessionId, grounds })) return
  }
  const last = await findDecisionByHand(deps.db, deviceSessionId)
  // A repeat changes nothing. Without a block there is nothing to take back.
  if ((last?.verdict ?? 'unblock') === verdict) return
  await addDecision(deps.db, {
    userId: decision.userId,
    about: 'session',
    blockActionId: null,
    deviceSessionId,
    verdict,
    reasonCode,
    comment: null,
    actorType: by.type,
    actorId: by.id,
    decidedAt: deps.clock.now(),
  })
}

const actorOf = ({ principal: { kind, id } }: Actor) =>
  ({ type: kind === 'user' ? 'user' : 'service', id }) as const
