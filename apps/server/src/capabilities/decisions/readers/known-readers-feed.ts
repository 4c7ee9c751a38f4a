import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { ReaderMemory } from './reader-memory.ts'
import { countKnownReaders, listKnownReaders, pagesOfKnownReaders } from './store-known-readers.ts'

/** Fills the memory from the database. Call it before following the feed. */
export const loadKnownReaders = (db: Database, memory: ReaderMemory): Promise<void> =>
  memory.replaceBy(pagesOfKnownReaders(db))

/** Keeps the memory in step with the database. */
export function knownReadersSubscriber(db: Database, memory: ReaderMemory): ChangeSubscriber {
  return {
    async onChanges(changes) {
      const ids = new Set<bigint>()
      for (const { entity, operation, entityId } of changes) {
        // Deleted rows were emptied before, so the memory has already forgotten them.
        if (entity === 'user_segments' && operation !== 'delete') ids.add(entityId)
      }
      if (ids.size === 0) return
      for (const reader of await listKnownReaders(db, [...ids])) memory.put(reader)
    },
    async onReload() {
      const cursor = await cursorNow(db)
      await loadKnownReaders(db, memory)
      return cursor
    },
    async onReconcile() {
      if (memory.forgotten() > 0) return
      if ((await countKnownReaders(db)) !== memory.size()) await loadKnownReaders(db, memory)
    },
  }
}
