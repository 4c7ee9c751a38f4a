import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { lowerHelpers } from './helper-threads.ts'

const isLinux = process.platform === 'linux'

test('helper threads give way to the main thread, which keeps its priority', () => {
  const before = getPriority(process.pid)

  const lowered = lowerHelpers()

  const helpers = isLinux ? threadsCalled('V8Worker') : []
  expect(lowered).toBe(helpers.length)
  expect(helpers.length > 0).toBe(isLinux)
  expect(helpers.map((thread) => getPriority(thread))).toEqual(helpers.map(() => 10))
  expect(getPriority(process.pid)).toBe(before)
})

const threadsCalled = (name: string) =>
  readdirSync('/proc/self/task')
    .filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() === name)
    .map(Number)
