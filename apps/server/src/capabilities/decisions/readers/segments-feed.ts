import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SegmentMemory } from './segments.ts'
import { countFilledSegments, listSegmentsByIds, pagesOfSegments } from './store-segments.ts'

/** Fills the memory from the database. Call it before following the feed. */
export const loadSegments = (db: Database, memory: SegmentMemory): Promise<void> =>
  memory.replaceBy(pagesOfSegments(db))

/** Keeps the memory in step with the database. */
export function segmentsSubscriber(db: Database, memory: SegmentMemory): ChangeSubscriber {
  return {
    async onChanges(changes) {
      const ids = new Set<bigint>()
      for (const { entity, operation, entityId } of changes) {
        // Deleted rows were emptied before, so the memory has already forgotten them.
        if (entity === 'user_segments' && operation !== 'delete') ids.add(entityId)
      }
      if (ids.size === 0) return
      for (const user of await listSegmentsByIds(db, [...ids])) memory.put(user)
    },
    async onReload() {
      const cursor = await cursorNow(db)
      await loadSegments(db, memory)
      return cursor
    },
    async onReconcile() {
      if (memory.forgotten() > 0) return
      if ((await countFilledSegments(db)) !== memory.size()) await loadSegments(db, memory)
    },
  }
}
