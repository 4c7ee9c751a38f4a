/** Two concurrent calls; more would wait for the same disk. */
const LANES = 2

interface Batch<Item> extends PromiseWithResolvers<void> {
  readonly items: Item[]
}

/**
 * Groups many calls into few: items that arrive while calls run wait for the next call, which takes all
 * of them. Each caller gets the promise of the call that took its item.
 */
export function together<Item>(
  call: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let running = 0
  let next: Batch<Item> | undefined

  const begin = () => {
    if (next === undefined || running === LANES) return
    const { items, resolve, reject } = next
    next = undefined
    running++
    const end = () => {
      running--
      begin()
    }
    void call(items).then(resolve, reject).finally(end)
  }
  return (item) => {
    const isFirst = next === undefined
    next ??= { items: [], ...Promise.withResolvers<void>() }
    next.items.push(item)
    const { promise } = next
    if (isFirst) queueMicrotask(begin)
    return promise
  }
}
