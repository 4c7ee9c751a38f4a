import type { Connection } from '../platform/database/connect.ts'
import { idsFrom } from '../platform/ids.ts'
import type { Actor, AuditEntry, ResourceDeps } from '../platform/resources/index.ts'
import { accounts } from '../capabilities/accounts/tables.ts'
import { fixedClock, seededRandom, type MovableClock } from './fixed.ts'

export interface TestDeps extends ResourceDeps {
  readonly clock: MovableClock
  readonly audited: AuditEntry[]
}

/** What operations need, on the test's database, with time and randomness controlled by the test. */
export function depsOn({ db }: Pick<Connection, 'db'>): TestDeps {
  const clock = fixedClock()
  const random = seededRandom()
  const audited: AuditEntry[] = []
  return {
    db,
    clock,
    random,
    ids: idsFrom({ clock, random }),
    audited,
    audit: async (_db, entry) => void audited.push(entry),
  }
}

export async function addAccount(
  { db, ids, clock }: ResourceDeps,
  kind: 'platform' | 'advertiser' | 'publisher',
) {
  const now = clock.now()
  const [account] = await db
    .insert(accounts)
    .values({ publicId: ids.next(), kind, name: `A ${kind}`, createdAt: now, updatedAt: now })
    .returning()
  return account!
}

/** An actor of that account who may write every field. Routes check permissions in their own tests. */
export const actorOf = (
  account: { id: bigint; kind: string },
  permissions: readonly string[] = ['proposals:write'],
): Actor => ({
  requestId: 'test',
  principal: {
    kind: 'key',
    id: '01890000-0000-7000-8000-000000000001',
    name: 'test',
    accountId: account.id,
    isPlatform: account.kind === 'platform',
    permissions: new Set(permissions),
  },
})
