import { Counter, Gauge, type Registry } from 'prom-client'
import { Problem } from '../../../platform/problem.ts'
import { accountProblems } from '../problems.ts'
import type { Passwords } from './passwords.ts'

/**
 * Half of the four threads that also read files and resolve names, so sign-ins never take them all.
 */
const AT_ONCE = 2
/** About one second of work. */
const WAITING_MAX = 32
const RETRY_SECONDS = 2

export interface QueueLimits {
  readonly atOnce: number
  readonly waitingMax: number
}

/** Hashing is slow and uses memory on purpose. It waits in its own bounded queue. */
export function inQueue(
  passwords: Passwords,
  registry: Registry,
  { atOnce, waitingMax }: QueueLimits = { atOnce: AT_ONCE, waitingMax: WAITING_MAX },
): Passwords {
  const waiting: (() => void)[] = []
  const refused = measureQueue(registry, waiting)
  let running = 0

  const begin = async () => {
    if (running < atOnce) {
      running++
      return
    }
    if (waiting.length >= waitingMax) {
      refused.inc()
      throw new Problem(accountProblems.signInBusy, 'Try again in a moment.').after(RETRY_SECONDS)
    }
    await new Promise<void>((resolve) => void waiting.push(resolve))
  }
  /** The next in the queue takes the place. */
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  const take = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await begin()
    try {
      return await work()
    } finally {
      end()
    }
  }
  return {
    hash: (password) => take(() => passwords.hash(password)),
    verify: (hash, password) => take(() => passwords.verify(hash, password)),
  }
}

function measureQueue(registry: Registry, waiting: readonly unknown[]): Counter {
  const gauge: Gauge = new Gauge({
    name: 'placard_password_hashes_waiting',
    help: 'Passwords that wait to be hashed',
    collect: () => gauge.set(waiting.length),
    registers: [registry],
  })
  return new Counter({
    name: 'placard_password_hashes_refused_total',
    help: 'Passwords that were not hashed because too many waited',
    registers: [registry],
  })
}
