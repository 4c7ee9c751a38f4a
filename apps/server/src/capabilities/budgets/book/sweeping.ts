import { systemLoad } from '../../../platform/background/load.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { BudgetBook } from './book.ts'

const SWEEP_MS = 100
/** A changed verdict moves all ads of the campaign in the index while requests wait. */
const CAMPAIGNS_TOGETHER = 4

/**
 * Publishes changed verdicts at intervals, a few at a time between requests, because thousands
 * change at once at the start and when a day begins. A verdict that changes during a sweep waits
 * for the next one, so a campaign that changes back and forth costs one check per sweep.
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
