import { onScratchDatabase, tell } from '../scratch.ts'
import { measureEdge } from './edge.ts'
import { measureIngest } from './ingest.ts'
import { measureProcessing } from './processing.ts'
import { measurePublisher } from './publisher.ts'

/** How fast observations are accepted and processed, and what the publisher costs a request. */
const publisher = { ...measurePublisher(), ...(await measureEdge()) }
tell(JSON.stringify(publisher))
const SETTINGS = ['shared_buffers=2GB', 'max_wal_size=8GB']
const figures = await onScratchDatabase(async (scratch) => {
  const processing = await measureProcessing(scratch, tell)
  const ingest = await measureIngest(scratch, tell)
  return { ...ingest, ...processing }
}, SETTINGS)
console.log(JSON.stringify({ ...figures, ...publisher }))
