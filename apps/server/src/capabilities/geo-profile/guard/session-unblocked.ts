import type { Actor, ResourceDeps } from '../../../platform/resources/index.ts'
import { recordUnblocked } from './operations-blocks.ts'

interface SessionUnblock {
  readonly publicId: string
  readonly actor: Actor
  readonly reasonCode: string
}

/** Updates the block action of a session that was unblocked elsewhere. */
export const sessionUnblocked = (
  deps: ResourceDeps,
  { publicId: deviceSessionId, actor, reasonCode }: SessionUnblock,
): Promise<void> => {
  const { kind, id } = actor.principal
  const by = { type: kind === 'user' ? 'user' : 'service', id } as const
  const grounds = { reasonCode, comment: null, actor: by, caller: actor }
  return recordUnblocked(deps, { deviceSessionId, grounds })
}
