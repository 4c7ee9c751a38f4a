import { PassThrough } from 'node:stream'
import { Problem, type ProblemKind } from '../problem.ts'
import type { Timers } from '../background/timers.ts'
import type { LiveUpdates, Viewer } from './live-updates.ts'

const STREAMS_MAX = 500
const STREAMS_PER_ACCOUNT_MAX = 20
/** All operators and ad ops share the platform's account. */
const STREAMS_OF_PLATFORM_MAX = 200
const HEARTBEAT_MS = 20_000
/** A stream with more unread bytes is closed. The page reconnects and reloads. */
const WAITING_BYTES_MAX = 64 * 1_024

const TOO_MANY_STREAMS: ProblemKind = {
  code: 'TOO_MANY_LOOK_ON',
  status: 503,
  title: 'This node has no room for another stream of live updates',
  remedy: 'Poll the lists instead, or try again later.',
}

const TOO_MANY_OF_ACCOUNT: ProblemKind = {
  code: 'TOO_MANY_LIVE_UPDATES',
  status: 429,
  title: 'Your account has no room for another stream of live updates',
  remedy: 'Close console pages you do not need, or poll the lists instead.',
}

export interface UpdateStreamDeps {
  readonly liveUpdates: LiveUpdates
  readonly timers: Timers
}

/** Live updates as server-sent events. The stream ends after `seconds`; the page reconnects with a fresh token. */
export function openUpdateStream(
  { liveUpdates, timers }: UpdateStreamDeps,
  { viewer, seconds }: { readonly viewer: Viewer; readonly seconds: number },
): PassThrough {
  if (liveUpdates.size >= STREAMS_MAX) {
    throw new Problem(TOO_MANY_STREAMS, `This node has ${STREAMS_MAX} open streams.`)
  }
  const { accountId, isPlatform } = viewer
  const most = isPlatform ? STREAMS_OF_PLATFORM_MAX : STREAMS_PER_ACCOUNT_MAX
  if (liveUpdates.countOf(accountId) >= most) {
    throw new Problem(TOO_MANY_OF_ACCOUNT, `On this node ${most} are open.`)
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
  const leave = liveUpdates.listen(viewer, ({ event, data }) => send(event, data))
  const cancelEnd = timers.after(seconds * 1_000, () => stream.end())
  stream.once('close', () => {
    leave()
    cancelBeat?.()
    cancelEnd()
  })
  return stream
}
