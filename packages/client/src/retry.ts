import { noAnswer, PlacardProblem } from './problem.ts'

export interface Attempts {
  /** Maximum number of tries. */
  readonly triesMax: number
  /** Time limit of each try. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const PAUSE_MS = 200
const PAUSE_MS_MAX = 30_000

/** Statuses after which the same request may succeed. */
const PASSING = new Set([429, 502, 503, 504])

/** Sends until there is a final answer. Pauses grow, or follow the server's `Retry-After`. */
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
    // The caller has aborted.
    if (signal?.aborted) throw error
    return noAnswer(error)
  }
}

/** Doubles, with jitter, so that callers rejected together do not return together. */
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
