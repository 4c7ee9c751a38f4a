import { systemLoad } from '../../../platform/background/load.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { BudgetBook } from './book.ts'

const SWEEP_MS = 100
/** A campaign that turns moves all its ads in the index, and requests wait for that. */
const CAMPAIGNS_TOGETHER = 4

/**
 * Has the book tell, now and then, which campaigns have turned: a few at a time and between requests,
 * because at the start, or when a day begins, thousands turn at once. What turns meanwhile waits for the
 * next time: a campaign that turns to and fro costs no more than one look each time.
 */
export function keepSweeping(
  book: Pick<BudgetBook, 'sweep'>,
  timers: Timers,
): { readonly stop: () => void } {
  let isStopped = false
  const isGoing = () => !isStopped
  let cancel = timers.after(SWEEP_MS, wake)

  function wake() {
    void sweepAll()
  }

  const sweep = () => systemLoad.run(() => book.sweep(CAMPAIGNS_TOGETHER))

  async function sweepAll(): Promise<void> {
    for (let left = await sweep(); left > 0 && isGoing(); left -= CAMPAIGNS_TOGETHER) await sweep()
    if (isGoing()) cancel = timers.after(SWEEP_MS, wake)
  }

  return {
    stop() {
      isStopped = true
      cancel()
    },
  }
}
