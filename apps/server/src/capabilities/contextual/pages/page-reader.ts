import { Worker } from 'node:worker_threads'
import type { ReadPage, Sitemap } from './read-page.ts'

/** Parses untrusted HTML in its own thread, so that no page can block the worker. */
export interface PageReader {
  readPage(html: string, url: string): Promise<ReadPage>
  readSitemap(xml: string): Promise<Sitemap>
  close(): Promise<void>
}

export type ReadRequest =
  | { readonly kind: 'page'; readonly html: string; readonly url: string }
  | { readonly kind: 'sitemap'; readonly xml: string }

export type ReadAnswer =
  | { readonly kind: 'read'; readonly read: ReadPage | Sitemap }
  | { readonly kind: 'failed'; readonly fault: string }

export interface PageReaderOptions {
  readonly timeoutMs?: number
  readonly program?: URL
}

const PROGRAM = new URL('./page-reader-thread.ts', import.meta.url)
const TIMEOUT_MS = 5_000
const START_MS = 30_000
const HEAP_MB = 256

/**
 * One document at a time. A thread that takes too long is ended; the next document gets a new one.
 */
export function openPageReader({
  timeoutMs = TIMEOUT_MS,
  program = PROGRAM,
}: PageReaderOptions = {}): PageReader {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  const stop = async () => {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }
  const readNow = async (request: ReadRequest): Promise<ReadPage | Sitemap> => {
    if (isClosed) throw new Error('The reader of pages is closed.')
    worker ??= await startThread(program)
    const answer = await answerOf(worker, request, timeoutMs).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    if (answer.kind === 'failed') throw new Error(answer.fault)
    return answer.read
  }
  const read = (request: ReadRequest) => {
    const reading = last.then(() => readNow(request))
    last = reading.catch(() => {})
    return reading
  }
  return {
    readPage: (html, url) => read({ kind: 'page', html, url }) as Promise<ReadPage>,
    readSitemap: (xml) => read({ kind: 'sitemap', xml }) as Promise<Sitemap>,
    async close() {
      isClosed = true
      await stop()
      await last
    },
  }
}

/** Starts before the time limit of a page, so loading libraries does not count. */
async function startThread(program: URL): Promise<Worker> {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
  worker.unref()
  await next(worker, { ms: START_MS, fault: 'The thread that reads pages does not start.' })
  return worker
}

function answerOf(worker: Worker, request: ReadRequest, timeoutMs: number): Promise<ReadAnswer> {
  const seconds = timeoutMs / 1_000
  const answer = next<ReadAnswer>(worker, {
    ms: timeoutMs,
    fault: `Reading it takes more than ${seconds} s.`,
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(request)
  return answer
}

interface Limit {
  readonly ms: number
  readonly fault: string
}

/** The next message of the thread. Rejects if it takes too long, fails or exits. */
function next<Message>(worker: Worker, { ms, fault }: Limit): Promise<Message> {
  return new Promise((resolve, reject) => {
    const done = (finish: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      // Ignores errors that come later, while the thread is being ended.
      worker.on('error', () => {})
      finish()
    }
    const onMessage = (message: Message) => done(() => resolve(message))
    const onError = (error: Error) => done(() => reject(new Error(faultOf(error))))
    const onExit = () => done(() => reject(new Error('It cannot be read.')))
    const timer = setTimeout(() => done(() => reject(new Error(fault))), ms)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  })
}

const faultOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? `Reading it takes more than ${HEAP_MB} MB of memory.`
    : `It cannot be read: ${message}`
