import { argon2Passwords, auditTo } from './capabilities/accounts/index.ts'
import { channelDeps } from './compose-channels.ts'
import type { Surroundings } from './compose.ts'
import { seedDemo } from './demo/seed.ts'
import { campaignEvents } from './events.ts'
import { idsFrom } from './platform/ids.ts'

/** The demo, made by the same operations that the API calls. False when it was there already. */
export function composeDemo(
  surroundings: Surroundings & { progress(message: string): void },
): Promise<boolean> {
  const { db, clock, chance, storage, progress } = surroundings
  const ids = idsFrom(surroundings)
  return seedDemo({
    db,
    clock,
    chance,
    ids,
    storage,
    progress,
    audit: auditTo({ ids, clock }),
    events: campaignEvents(ids),
    ...channelDeps(surroundings),
    passwords: surroundings.passwords ?? argon2Passwords(),
  })
}
