import { parentPort } from 'node:worker_threads'
import type { ReadAnswer, ReadRequest } from './page-reader.ts'
import { readPage, readSitemap } from './read-page.ts'

/** The program of the thread that reads pages. */
const port = parentPort!

const say = (message: ReadAnswer | 'ready') => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(message)
}

const read = (request: ReadRequest) =>
  request.kind === 'page' ? readPage(request.html, request.url) : readSitemap(request.xml)

port.on('message', (request: ReadRequest) => {
  try {
    say({ kind: 'read', read: read(request) })
  } catch (error) {
    say({ kind: 'failed', fault: (error as Error).message })
  }
})
say('ready')
