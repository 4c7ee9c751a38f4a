import { noAnswer, PlacardProblem } from './problem.ts'

export interface Attempts {
  /** Times it is sent at most. */
  readonly triesMax: number
  /** Until an answer must be there, for each try. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const PAUSE_MS = 200
const PAUSE_MS_MAX = 30_000

/** Statuses after which the same request may well succeed. */
const PASSING = new Set([429, 502, 503, 504])

/** Sends until there is an answer that stays; pauses grow, or are as long as the server asks for. */
export async function sendWithRetries(
  send: (signal: AbortSignal) => Promise<Response>,
  { triesMax, timeoutMs, signal }: Attempts,
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const isLast = tries >= triesMax
    const outcome = await attempt(send, { timeoutMs, signal })
    if (outcome instanceof Response && (isLast || !PASSING.has(outcome.status))) return outcome
    if (outcome instanceof PlacardProblem && isLast) throw outcome
    await pause(pauseMs(outcome, tries), signal)
  }
}

async function attempt(
  send: (signal: AbortSignal) => Promise<Response>,
  { timeoutMs, signal }: Pick<Attempts, 'timeoutMs' | 'signal'>,
): Promise<Response | PlacardProblem> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await send(signal ? AbortSignal.any([timeout, signal]) : timeout)
  } catch (error) {
    // Whoever has asked does not want an answer any more.
    if (signal?.aborted) throw error
    return noAnswer(error)
  }
}

/** Doubles, and differs between callers that were turned away together. */
function pauseMs(outcome: Response | PlacardProblem, tries: number): number {
  const seconds =
    outcome instanceof Response ? Number(outcome.headers.get('retry-after') ?? Number.NaN) : NaN
  if (seconds >= 0) return Math.min(seconds * 1_000, PAUSE_MS_MAX)
  const [draw = 0] = crypto.getRandomValues(new Uint32Array(1))
  const longest = Math.min(PAUSE_MS * 2 ** tries, PAUSE_MS_MAX)
  return longest / 2 + (longest / 2) * (draw / 2 ** 32)
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
