import { parentPort } from 'node:worker_threads'
import type { SettlerRequest } from './threaded-settler.ts'

/** Dies over the first try of everything: for the test of what becomes of it. */
await import('./settler-thread.ts')
parentPort!.on('message', (request: SettlerRequest) => {
  if (request.kind !== 'close' && request.countsRepeats) process.exit(1)
})
