import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Where Linux lists the threads of this process; other systems have nothing there. */
const THREADS = '/proc/self/task'
/** What Node calls those that collect garbage and compile beside the main thread. */
const HELPER = 'V8Worker'
/** A tenth of the main thread's share where both want the same core; all of a core that is idle. */
const NICE = 10

/**
 * Lets the helper threads of V8 give way to the main thread. While they mark a large heap, all four
 * want a core for a tenth of a second; on a machine that has none to spare they took two thirds of the
 * main thread's, and whoever asked for an ad waited for it. Returns how many there are.
 */
export function lowerHelpers(): number {
  let lowered = 0
  for (const thread of threads()) {
    try {
      if (readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim() !== HELPER) continue
      setPriority(Number(thread), NICE)
      lowered++
    } catch {
      // It has ended meanwhile, or may not be changed: all else goes on as ever.
    }
  }
  return lowered
}

function threads(): readonly string[] {
  try {
    return readdirSync(THREADS)
  } catch {
    return []
  }
}
