import { expect, test } from 'vitest'
import { together } from './together.ts'

test('what comes while calls run is taken by the next, all at once', async () => {
  const calls: (readonly string[])[] = []
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const erase = together(async (items: readonly string[]) => {
    calls.push(items)
    await opened
  })
  const begun = () => new Promise((resolve) => void setImmediate(resolve))

  const done = [erase('a')]
  await begun()
  done.push(erase('b'))
  await begun()
  done.push(erase('c'))
  await begun()
  done.push(erase('d'))
  open()
  await Promise.all(done)

  expect(calls).toEqual([['a'], ['b'], ['c', 'd']])
})

test('a call that fails fails for those it took, and not for the next', async () => {
  const erase = together(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('no')
  })

  await expect(erase('bad')).rejects.toThrow('no')
  await erase('good')
})
