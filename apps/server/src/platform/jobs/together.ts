/**
 * Makes one call of many: what comes while a call runs waits for the next, which takes all of it. Each
 * caller's promise is that of the call that took its item.
 */
export function together<Item>(
  call: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: { readonly items: Item[]; readonly done: Promise<void> } | undefined

  const begin = () => {
    const items: Item[] = []
    const done = last.then(() => {
      next = undefined
      return call(items)
    })
    last = done.catch(() => {})
    return { items, done }
  }
  return (item) => {
    next ??= begin()
    next.items.push(item)
    return next.done
  }
}
