/** So many calls run side by side; more would wait for the same disk. */
const LANES = 2

interface Batch<Item> extends PromiseWithResolvers<void> {
  readonly items: Item[]
}

/**
 * Makes few calls of many: what comes while calls run waits for the next, which takes all of it. Each
 * caller's promise is that of the call that took its item.
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
