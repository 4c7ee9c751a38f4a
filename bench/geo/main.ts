import { onScratchDatabase, say } from '../scratch.ts'
import { measureEdge } from './edge.ts'
import { measureIngest } from './ingest.ts'
import { measureProcessing } from './processing.ts'
import { measurePublisher } from './publisher.ts'

/** Rates at which observations are accepted and processed, and the publisher's cost per request. */
const publisher = { ...measurePublisher(), ...(await measureEdge()) }
say(JSON.stringify(publisher))
const SETTINGS = ['shared_buffers=2GB', 'max_wal_size=8GB']
const figures = await onScratchDatabase(async (scratch) => {
  const processing = await measureProcessing(scratch, say)
  const ingest = await measureIngest(scratch, say)
  return { ...ingest, ...processing }
}, SETTINGS)
console.log(JSON.stringify({ ...figures, ...publisher }))
