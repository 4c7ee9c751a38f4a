import { expect, test } from 'vitest'
import { manualTimers } from './manual-timers.ts'
import { retryUntil } from './retry.ts'

const UNAVAILABLE = new Error('unavailable')

/** A world in which an attempt fails so often, and time passes only while it is waited for. */
function attemptsThatFail(times: number, error = UNAVAILABLE) {
  const timers = manualTimers()
  let nowMs = 0
  const waits: unknown[] = []
  let attempts = 0
  const trying = (seconds: number) =>
    retryUntil(
      async () => {
        if (attempts++ < times) throw error
        return attempts
      },
      {
        seconds,
        uptime: { nowMs: () => nowMs },
        timers: {
          after(ms, call) {
            nowMs += ms
            const cancel = timers.after(ms, call)
            timers.pass(ms)
            return cancel
          },
        },
        isTransient: (error) => error === UNAVAILABLE,
        onWait: (error) => waits.push(error),
      },
    )
  return { trying, waits, attempts: () => attempts }
}

test('what is away for a moment is waited for, and each wait is told', async () => {
  const { trying, waits } = attemptsThatFail(3)

  expect(await trying(60)).toBe(4)

  expect(waits).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE])
})

test('when the time is over the last failure counts', async () => {
  const { trying, attempts } = attemptsThatFail(1_000)

  await expect(trying(10)).rejects.toBe(UNAVAILABLE)

  expect(attempts()).toBeLessThan(10)
})

test('what will not pass is not tried again', async () => {
  const { trying, attempts } = attemptsThatFail(1, new Error('wrong password'))

  await expect(trying(60)).rejects.toThrow('wrong password')

  expect(attempts()).toBe(1)
})
