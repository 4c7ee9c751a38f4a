import { utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { scratchFolder } from '../../../testing/server.ts'
import { keepDataCentres, parseRanges } from './data-centres.ts'

async function aList(file?: string) {
  const timers = manualTimers()
  const errors: unknown[] = []
  const list = await keepDataCentres({ file, timers, onError: (error) => errors.push(error) })
  onTestFinished(() => list.stop())
  return { list, timers, errors }
}

describe('data centres', () => {
  test('the built-in list knows data centres, and no home connection', async () => {
    const { list } = await aList()

    expect(['34.201.0.1', '20.37.4.4', '95.216.1.1', '2a01:4f8::1'].map(list.has)).toEqual(
      Array.from({ length: 4 }, () => true),
    )
    expect(['127.0.0.1', '203.0.113.7', '2001:db8::1', 'nonsense'].map(list.has)).toEqual(
      Array.from({ length: 4 }, () => false),
    )
  })

  test('a changed file is read again; a faulty one is reported and ignored', async () => {
    const file = path.join(await scratchFolder(), 'ranges.txt')
    const write = async (text: string, seconds: number) => {
      await writeFile(file, text)
      await utimes(file, seconds, seconds)
    }
    await write('203.0.113.0/24 # ours', 1)
    const { list, timers, errors } = await aList(file)
    expect(list.has('203.0.113.9')).toBe(true)

    await write('198.51.100.0/24', 2)
    timers.pass(60_000)
    await expect.poll(() => list.has('198.51.100.1')).toBe(true)
    expect(list.has('203.0.113.9')).toBe(false)

    await write('not an address', 3)
    await expect
      .poll(() => {
        timers.pass(60_000)
        return errors.length
      })
      .toBeGreaterThan(0)
    expect(list.has('198.51.100.1')).toBe(true)
  })
})

test.each(['10.0.0.0/33', '2001:db8::/129', 'x', '1.2.3.4/8/8', '10.0.0.0/a'])(
  'a list with %s is not a list',
  (range) => {
    expect(() => parseRanges(`198.51.100.0/24\n${range}`)).toThrow(range)
  },
)
