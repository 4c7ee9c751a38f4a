import type { Change } from '../../platform/changes/changes.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { listApprovalNews, listSiteNews } from './reads-news.ts'

/** Something that changed, and whose it is. */
export interface News {
  readonly event: 'approved' | 'rejected' | 'flagged' | 'pending-updated' | 'pages-updated'
  readonly data: Readonly<Record<string, string>>
  readonly accountIds: readonly bigint[]
}

type Listener = (news: Pick<News, 'event' | 'data'>) => void
export type Reader = Pick<Principal, 'accountId' | 'isPlatform'>

const NEWS_MAX = 500

/** Tells those who look on what changed on their sites; what nobody looks at is not even read. */
export class Newsroom {
  private readonly db: Database
  private readonly listeners = new Map<Listener, Reader>()

  constructor(db: Database) {
    this.db = db
  }

  get size(): number {
    return this.listeners.size
  }

  listen(reader: Reader, listener: Listener): () => void {
    this.listeners.set(listener, reader)
    return () => void this.listeners.delete(listener)
  }

  async onChanges(changes: readonly Change[]): Promise<void> {
    if (this.listeners.size === 0) return
    const approvals = idsOf(changes, ['creative_approvals'])
    const sites = idsOf(changes, ['pages', 'serve_index'])
    const news: readonly News[] = [
      ...(approvals.length > 0 ? await listApprovalNews(this.db, approvals) : []),
      ...(sites.length > 0 ? await listSiteNews(this.db, sites) : []),
    ]
    for (const one of news) this.tell(one)
  }

  private tell({ event, data, accountIds }: News): void {
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
  ].slice(0, NEWS_MAX)
