import { parentPort } from 'node:worker_threads'
import type { SettlerRequest } from './threaded-settler.ts'

/** Crash target: exits on the first attempt of every request. */
await import('./settler-thread.ts')
parentPort!.on('message', (request: SettlerRequest) => {
  if (request.kind !== 'close' && request.countsRepeats) process.exit(1)
})
