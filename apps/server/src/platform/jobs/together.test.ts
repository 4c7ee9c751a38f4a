import { expect, test } from 'vitest'
import { together } from './together.ts'

test('what comes while a call runs is taken by the next, all at once', async () => {
  const calls: (readonly string[])[] = []
  const { promise: first, resolve: endFirst } = Promise.withResolvers<void>()
  const erase = together(async (items: readonly string[]) => {
    calls.push(items)
    if (calls.length === 1) await first
  })

  const done = [erase('a')]
  await Promise.resolve()
  await Promise.resolve()
  done.push(erase('b'), erase('c'))
  endFirst()
  await Promise.all(done)

  expect(calls).toEqual([['a'], ['b', 'c']])
})

test('a call that fails fails for those it took, and not for the next', async () => {
  const erase = together(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('no')
  })

  await expect(erase('bad')).rejects.toThrow('no')
  await erase('good')
})
