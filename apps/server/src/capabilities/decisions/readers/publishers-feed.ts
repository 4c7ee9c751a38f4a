import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Publishers } from './publishers.ts'
import { listPublishers } from './reads-publishers.ts'

/** Fills the list from the database. Call it before following the feed. */
export const loadPublishers = async (db: Database, publishers: Publishers): Promise<void> =>
  publishers.replaceBy(await listPublishers(db))

/** Keeps the list in step with the database. */
export const publishersSubscriber = (db: Database, publishers: Publishers): ChangeSubscriber => ({
  async onChanges(changes) {
    if (changes.some(({ entity }) => entity === 'publishers')) await loadPublishers(db, publishers)
  },
  async onReload() {
    const cursor = await cursorNow(db)
    await loadPublishers(db, publishers)
    return cursor
  },
  onReconcile: () => loadPublishers(db, publishers),
})
