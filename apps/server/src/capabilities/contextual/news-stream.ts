import { PassThrough } from 'node:stream'
import { Problem } from '../../platform/problem.ts'
import type { Timers } from '../../platform/background/timers.ts'
import type { Newsroom, Reader } from './newsroom.ts'
import { contextualProblems } from './problems.ts'

const STREAMS_MAX = 500
const HEARTBEAT_MS = 20_000
/** Who reads so slowly that this much waits is let go: it comes again and asks anew. */
const WAITING_BYTES_MAX = 64 * 1_024

export interface NewsDeps {
  readonly newsroom: Newsroom
  readonly timers: Timers
}

/** News as server-sent events, for so long; whoever wants more comes again with a fresh token. */
export function openNewsStream(
  { newsroom, timers }: NewsDeps,
  { reader, seconds }: { readonly reader: Reader; readonly seconds: number },
): PassThrough {
  if (newsroom.size >= STREAMS_MAX) {
    throw new Problem(contextualProblems.tooManyLookOn, `${STREAMS_MAX} look on already.`)
  }
  const stream = new PassThrough()
  const send = (event: string, data: object) => {
    if (stream.writableEnded) return
    stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (stream.writableLength > WAITING_BYTES_MAX) stream.destroy()
  }
  const beat = () => {
    send('heartbeat', {})
    cancelBeat = timers.after(HEARTBEAT_MS, beat)
  }
  let cancelBeat: (() => void) | undefined
  beat()
  const leave = newsroom.listen(reader, ({ event, data }) => send(event, data))
  const cancelEnd = timers.after(seconds * 1_000, () => stream.end())
  stream.once('close', () => {
    leave()
    cancelBeat?.()
    cancelEnd()
  })
  return stream
}
