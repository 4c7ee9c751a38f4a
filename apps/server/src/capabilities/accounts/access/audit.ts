import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { AuditEntry } from '../../../platform/resources/index.ts'
import { addAuditRecord } from '../store.ts'

export interface SystemEntry {
  readonly accountId: bigint | null
  readonly action: string
  readonly entity: string
  readonly entityId: string
  readonly after: object
  /** Default: somebody who is not signed in. */
  readonly actorName?: string
}

/** An audit record about somebody, without an actor: the caller did not prove who they are. */
export const auditNobody = (
  { ids, clock }: { ids: Ids; clock: Clock },
  db: Database,
  entry: SystemEntry,
): Promise<void> =>
  addAuditRecord(db, {
    actorName: 'Somebody who is not signed in',
    ...entry,
    publicId: ids.next(),
    occurredAt: clock.now(),
    actorKind: 'system',
    actorId: null,
    requestId: null,
  })

/** Writes the audit record in the transaction of the change: neither exists without the other. */
export const auditTo =
  ({ ids, clock }: { ids: Ids; clock: Clock }) =>
  (db: Database, { actor, ...entry }: AuditEntry): Promise<void> =>
    addAuditRecord(db, {
      ...entry,
      publicId: ids.next(),
      occurredAt: clock.now(),
      actorKind: actor.principal.kind,
      actorId: actor.principal.id,
      actorName: actor.principal.name,
      requestId: actor.requestId,
    })
