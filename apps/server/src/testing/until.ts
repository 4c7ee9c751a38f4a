import { setImmediate as loopTurn, setTimeout as pause } from 'node:timers/promises'

/** Well under what a test may take, so that the test says what it waited for. */
const SECONDS_MAX = 90

/** Most waits are over after a few turns; the others leave the machine to what they wait for. */
const EAGER_LOOKS = 500
const RARE_MS = 5

interface Patience {
  readonly secondsMax?: number
  /** Between two looks; without it the event loop turns once, and later the looks get rarer. */
  readonly pauseMs?: number
}

/** Looks until there is something to see, and returns it; in the end it fails and says what it waited for. */
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

/** What a promise gives, unless it takes too long: then it fails and says what it waited for. */
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
