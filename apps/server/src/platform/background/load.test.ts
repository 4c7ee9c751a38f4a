import { describe, expect, test } from 'vitest'
import { EventLoopLoad, untilLow } from './load.ts'
import { manualTimers } from './manual-timers.ts'

/** A load whose event loop does what the test says. */
function aLoad() {
  const time = { active: 0, idle: 0 }
  const spend = (part: Partial<typeof time>) => {
    time.active += part.active ?? 0
    time.idle += part.idle ?? 0
  }
  const load = new EventLoopLoad({
    loopTime: () => ({ ...time }),
    uptime: { nowMs: () => time.active + time.idle },
  })
  return { load, spend }
}

describe('the load', () => {
  test('is high when requests take three quarters of a window', () => {
    const { load, spend } = aLoad()

    spend({ active: 15, idle: 5 })
    expect(load.isHigh()).toBe(true)
    spend({ active: 14, idle: 6 })
    expect(load.isHigh()).toBe(false)
  })

  test('is judged once per window of 20 ms', () => {
    const { load, spend } = aLoad()

    spend({ active: 19 })
    expect(load.isHigh()).toBe(false)
    spend({ active: 1 })
    expect(load.isHigh()).toBe(true)
    spend({ idle: 19 })
    expect(load.isHigh()).toBe(true)
  })

  test('does not count background work', async () => {
    const { load, spend } = aLoad()

    await load.run(() => spend({ active: 100 }))

    expect(load.isHigh()).toBe(false)
  })
})

describe('background work', () => {
  test('runs one piece per tick while the load is low', async () => {
    const { load } = aLoad()
    let ticks = 0
    const count = () => {
      ticks++
      ticking = setImmediate(count)
    }
    let ticking = setImmediate(count)

    const ticksOfPieces: number[] = []
    for (let i = 0; i < 3; i++) await load.run(() => ticksOfPieces.push(ticks))
    clearImmediate(ticking)

    expect(ticksOfPieces).toEqual([1, 2, 3])
  })

  test('takes a fifth of the time while the load is high', async () => {
    const { load, spend } = aLoad()
    spend({ active: 20 })
    let requestsMs = 0
    const requests = setInterval(() => {
      spend({ active: 1 })
      requestsMs++
    }, 1)

    for (let i = 0; i < 4; i++) await load.run(() => spend({ active: 1 }))
    clearInterval(requests)

    expect(requestsMs).toBeGreaterThanOrEqual(15)
  })
})

describe('a batch that can wait', () => {
  const highUntil = (ms: number) => {
    const timers = manualTimers()
    let nowMs = 0
    const load = { isHigh: () => nowMs < ms }
    const pass = async () => {
      nowMs += 20
      timers.pass(20)
      await new Promise(setImmediate)
    }
    return { timers, load, pass }
  }

  test('goes at once while the load is low', async () => {
    const { timers, load } = highUntil(0)

    expect(await untilLow(load, { timers, msMax: 100 })).toBe(true)
  })

  test('goes as soon as the load is low', async () => {
    const { timers, load, pass } = highUntil(40)
    const waiting = untilLow(load, { timers, msMax: 100 })
    for (let i = 0; i < 2; i++) await pass()

    expect(await waiting).toBe(true)
  })

  test('goes when its limit is over although the load is high', async () => {
    const { timers, load, pass } = highUntil(Infinity)
    const waiting = untilLow(load, { timers, msMax: 100 })
    for (let i = 0; i < 5; i++) await pass()

    expect(await waiting).toBe(false)
  })

  test('goes when it has become urgent', async () => {
    const { timers, load, pass } = highUntil(Infinity)
    let isUrgent = false
    const waiting = untilLow(load, { timers, msMax: 100, isUrgent: () => isUrgent })
    isUrgent = true
    await pass()

    expect(await waiting).toBe(true)
  })
})
