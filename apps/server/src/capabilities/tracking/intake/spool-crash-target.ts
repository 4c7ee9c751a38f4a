import type { TrackedEvent } from './event.ts'
import { openSqliteSpool } from './spool-sqlite.ts'

/** A process to be killed: says which events its spool has kept, as fast as it can. */
const spool = await openSqliteSpool({ file: process.argv[2]!, bytesMax: 1_048_576 })
for (let i = 0; i < 20_000; i++) {
  const eventId = `event ${i}`
  if ((await spool.append([{ eventId } as TrackedEvent])) === 'kept') process.send?.(eventId)
}
