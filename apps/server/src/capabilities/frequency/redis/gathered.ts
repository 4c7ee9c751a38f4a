/**
 * Calls Redis for several users at once. `otherwise` is the answer for each of them if Redis does
 * not answer.
 */
export type Attempt = <Answer>(
  call: () => Promise<readonly Answer[]>,
  otherwise: { readonly answer: Answer; readonly users: number },
) => Promise<readonly Answer[]>

export const unguarded: Attempt = (call) => call()

/** Redis does nothing else meanwhile, so a command must be short. */
export const USERS_PER_CALL = 64

/**
 * These commands already carry many users, so the connection sends them without pipelining delay.
 */
export const GATHERED_COMMANDS: readonly string[] = ['capsRead', 'capsHold', 'visitsSee']

const PIPELINE_MAX = 500

/** A few at a time, so that a refill does not fill the memory with promises. */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += PIPELINE_MAX) {
    await Promise.all(items.slice(from, from + PIPELINE_MAX).map(work))
  }
}
