import type { TrackedEvent } from './event.ts'
import { openSqliteSpool } from './spool.ts'

/** Crash target: spools events as fast as it can and reports each one that was kept. */
const spool = await openSqliteSpool({ file: process.argv[2]!, bytesMax: 1_048_576 })
for (let i = 0; i < 20_000; i++) {
  const eventId = `event ${i}`
  if ((await spool.append([{ eventId } as TrackedEvent])) === 'kept') process.send?.(eventId)
}
