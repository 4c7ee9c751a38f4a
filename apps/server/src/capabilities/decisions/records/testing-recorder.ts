import { LOW_LOAD } from '../../../platform/background/load.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { depsOn } from '../../../testing/world.ts'
import { prepareAuctionDays } from '../jobs.ts'
import { createRecorder, type RecorderDeps } from './record-writer.ts'
import { recordsFrom } from './testing-records.ts'

/** A recorder on a database of its own, with a manual clock. */
export async function aRecordingWorld(options: Partial<RecorderDeps> = {}) {
  const connection = await freshDatabase()
  const deps = depsOn(connection)
  const timers = manualTimers()
  const metrics = new Registry()
  const log = pino({ level: 'silent' })
  const recorder = createRecorder({
    ...deps,
    load: LOW_LOAD,
    log,
    metrics,
    timers,
    ...options,
  })
  await prepareAuctionDays(deps)
  const rows = async (text: string) => (await connection.pool.query(text)).rows
  const resultsOf = async () => {
    const { values } = await metrics.getSingleMetric('placard_auction_records_total')!.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels['result'], value]))
  }
  return { ...connection, deps, timers, recorder, rows, resultsOf, aRecord: recordsFrom(deps.ids) }
}

export const nextLoopTick = () => new Promise((resolve) => setImmediate(resolve))
