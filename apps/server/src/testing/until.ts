import { setImmediate as loopTurn, setTimeout as pause } from 'node:timers/promises'

/** Well below a test's own limit, so that the error says what was awaited. */
const SECONDS_MAX = 90

/** Most waits end after a few ticks. The rest pause between looks. */
const EAGER_LOOKS = 500
const RARE_MS = 5

interface Patience {
  readonly secondsMax?: number
  /** Pause between looks; default: one tick, then growing. */
  readonly pauseMs?: number
}

/** Polls until the look returns something, and returns it. Fails with what was awaited. */
export async function until<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  { secondsMax = SECONDS_MAX, pauseMs }: Patience = {},
): Promise<Exclude<Seen, undefined | false>> {
  const endMs = performance.now() + secondsMax * 1_000
  for (let looks = 1; performance.now() < endMs; looks++) {
    const seen = await look()
    if (isThere(seen)) return seen
    const rest = pauseMs ?? (looks > EAGER_LOOKS ? RARE_MS : 0)
    await (rest === 0 ? loopTurn() : pause(rest))
  }
  throw new Error(`Waited ${secondsMax} s until ${what}`)
}

const isThere = <Seen>(seen: Seen): seen is Exclude<Seen, undefined | false> =>
  seen !== undefined && seen !== false

/** The promise's result. If it takes too long, fails with what was awaited. */
export async function within<Result>(
  what: string,
  promise: Promise<Result>,
  secondsMax = SECONDS_MAX,
): Promise<Result> {
  const over = new AbortController()
  const late = pause(secondsMax * 1_000, undefined, { signal: over.signal }).then(() => {
    throw new Error(`Waited ${secondsMax} s until ${what}`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    over.abort()
  }
}
