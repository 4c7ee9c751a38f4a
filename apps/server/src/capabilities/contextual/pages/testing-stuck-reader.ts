import { parentPort } from 'node:worker_threads'
import type { ReadRequest } from './page-reader.ts'

/** A thread that never answers some documents, and exits at others. */
parentPort!.on('message', (request: ReadRequest) => {
  const text = request.kind === 'page' ? request.html : request.xml
  if (text === 'gone') process.exit(1)
  if (text === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage({ kind: 'read', read: { title: text } })
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort!.postMessage('ready')
