import type { Change } from '../changes/changes.ts'
import type { Database } from '../database/connect.ts'
import type { Principal } from '../http/principal.ts'
import { listApprovalUpdates, listSiteUpdates } from './reads-updates.ts'

/** A change, and the accounts that may see it. */
export interface LiveUpdate {
  readonly event: 'approved' | 'rejected' | 'flagged' | 'pending-updated' | 'pages-updated'
  readonly data: Readonly<Record<string, string>>
  readonly accountIds: readonly bigint[]
}

type Listener = (update: Pick<LiveUpdate, 'event' | 'data'>) => void
export type Viewer = Pick<Principal, 'accountId' | 'isPlatform'>

const UPDATES_MAX = 500

/** Pushes changes of approvals and pages to open console pages. Reads nothing while none is open. */
export class LiveUpdates {
  private readonly db: Database
  private readonly listeners = new Map<Listener, Viewer>()

  constructor(db: Database) {
    this.db = db
  }

  get size(): number {
    return this.listeners.size
  }

  /** Open streams of an account. */
  countOf(accountId: bigint): number {
    let count = 0
    for (const viewer of this.listeners.values()) if (viewer.accountId === accountId) count++
    return count
  }

  listen(viewer: Viewer, listener: Listener): () => void {
    this.listeners.set(listener, viewer)
    return () => void this.listeners.delete(listener)
  }

  async onChanges(changes: readonly Change[]): Promise<void> {
    if (this.listeners.size === 0) return
    const approvals = idsOf(changes, ['creative_approvals'])
    const sites = idsOf(changes, ['pages', 'serve_index'])
    const updates: readonly LiveUpdate[] = [
      ...(approvals.length > 0 ? await listApprovalUpdates(this.db, approvals) : []),
      ...(sites.length > 0 ? await listSiteUpdates(this.db, sites) : []),
    ]
    for (const update of updates) this.publish(update)
  }

  private publish({ event, data, accountIds }: LiveUpdate): void {
    for (const [listener, { isPlatform, accountId }] of this.listeners) {
      if (isPlatform || accountIds.includes(accountId)) listener({ event, data })
    }
  }
}

const idsOf = (changes: readonly Change[], entities: readonly string[]): readonly bigint[] =>
  [
    ...new Set(
      changes.flatMap(({ entity, entityId }) => (entities.includes(entity) ? [entityId] : [])),
    ),
  ].slice(0, UPDATES_MAX)
