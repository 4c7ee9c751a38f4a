import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixedClock, type MovableClock } from '../../../testing/fixed.ts'
import { CountersPair, someHistory } from './counters-history.ts'
import type { CapKey, CountedThing, Counters } from './counters.ts'

/** Empty counters on this clock. */
export type OpenCounters = (clock: MovableClock) => Counters | Promise<Counters>

interface Contract {
  readonly open: OpenCounters
  /** How many random histories are compared with the reference. */
  readonly histories: number
}

const groups = {
  'a cap': capRules,
  'a hold': holdRules,
  'the end of a hold': endRules,
  'a window': windowRules,
  'a forgotten user': forgetRules,
  'what the books say': restoreRules,
}

/** What every adapter of the counters port promises: the ONE suite, run by each adapter's test. */
export function countersContract(adapter: string, { open, histories }: Contract): void {
  for (const [group, rules] of Object.entries(groups)) {
    describe(`${adapter}: ${group}`, () => {
      rules(open)
    })
  }
  describe(`${adapter}: histories`, () => {
    historyRules(open, histories)
  })
}

const SEED = 20_261_231
const USER = 'user-a'
const OTHER = 'user-b'
const HOLD_MS = 60_000
const AD: CountedThing = { scope: 'ad', key: 7, window: 'Day' }

const capOf = (impressionsMax: number, thing: Partial<CountedThing> = {}): CapKey => ({
  ...AD,
  ...thing,
  impressionsMax,
})

async function world(open: OpenCounters, start?: string) {
  const clock = fixedClock(start)
  const counters = await open(clock)
  return {
    clock,
    counters,
    seen: async (thing: Partial<CountedThing> = {}, userKey = USER) => {
      const { scope, key, window } = { ...AD, ...thing }
      return (await counters.read(userKey)).seen(scope, key, window)
    },
    hold: async (caps: readonly CapKey[], userKey = USER) =>
      (await counters.read(userKey)).hold(caps, HOLD_MS),
    /** As settlement does: so many impressions are in the books now. */
    tell: async (impressions: number, things: readonly Partial<CountedThing>[] = [AD]) => {
      const fields = { userKey: USER, impressions, atMs: clock.now().getTime() }
      await counters.restore(things.map((thing) => ({ ...AD, ...thing, ...fields })))
    },
  }
}

function capRules(open: OpenCounters): void {
  test('of one lets exactly one of fifty parallel requests of a user through', async () => {
    const { counters } = await world(open)
    const readers = await Promise.all(Array.from({ length: 50 }, async () => counters.read(USER)))
    const seen = readers.map((reader) => reader.seen('ad', 7, 'Day'))
    expect(new Set(seen)).toEqual(new Set([0]))

    const holds = await Promise.all(readers.map(async (reader) => reader.hold([capOf(1)], HOLD_MS)))

    expect(holds.filter(Boolean)).toHaveLength(1)
  })

  test('among several that is full refuses, and then none of them is held', async () => {
    const { hold, seen, tell } = await world(open)
    await tell(1, [{ scope: 'campaign' }])

    const caps = [capOf(5), capOf(1, { scope: 'campaign' }), capOf(5, { scope: 'advertiser' })]

    expect(await hold(caps)).toBeUndefined()
    expect(await seen()).toBe(0)
    expect(await seen({ scope: 'campaign' })).toBe(1)
    expect(await seen({ scope: 'advertiser' })).toBe(0)
  })

  test('of an hour and one of a day hold for the same ad at once', async () => {
    const { clock, hold, tell } = await world(open, '2026-06-15T12:00:00Z')
    const caps = [capOf(1, { window: 'Hour' }), capOf(2)]
    await tell(1, caps)
    expect(await hold(caps)).toBeUndefined()

    clock.advance(3_600)
    expect(await hold(caps)).toBeDefined()
    await tell(1, [{ window: 'Hour' }])
    await tell(2)

    clock.advance(3_600)
    expect(await hold(caps)).toBeUndefined()
  })

  test('named twice for one thing and window holds an impression once', async () => {
    const { counters, hold, seen } = await world(open)

    const { id } = (await hold([capOf(3), capOf(2)]))!
    expect(await seen()).toBe(1)
    await counters.release(id)

    expect(await seen()).toBe(0)
  })

  test('of zero lets nothing through', async () => {
    const { hold } = await world(open)

    expect(await hold([capOf(0)])).toBeUndefined()
  })

  test('tells users, keys and scopes apart', async () => {
    const { hold, seen } = await world(open)
    const large = Number.MAX_SAFE_INTEGER
    await hold([capOf(1, { key: large })])

    expect(await seen({ key: large })).toBe(1)
    expect(await seen({ key: large - 2 ** 32 })).toBe(0)
    expect(await seen({ key: large, scope: 'campaign' })).toBe(0)
    expect(await seen({ key: large }, OTHER)).toBe(0)
    expect(await hold([capOf(1, { key: large })], OTHER)).toBeDefined()
  })
}

function holdRules(open: OpenCounters): void {
  test('counts from the serve on, and after the impression is settled it is counted still once', async () => {
    const { clock, counters, hold, seen, tell } = await world(open)
    const { id } = (await hold([capOf(2)]))!
    expect(await seen()).toBe(1)

    await tell(1)
    await counters.release(id)
    clock.advance(HOLD_MS / 1000)

    expect(await seen()).toBe(1)
  })

  test('is prolonged while its impression waits to be settled, unless it has ended', async () => {
    const { clock, counters, hold, seen } = await world(open)
    const { id } = (await hold([capOf(2)]))!
    const ended = (await hold([capOf(2)]))!
    clock.advance(HOLD_MS / 1000 - 1)
    await counters.prolong([id, 'of nobody'], 10 * HOLD_MS)

    clock.advance(1)
    expect(await seen()).toBe(1)
    await counters.prolong([ended.id], 10 * HOLD_MS)
    expect(await seen()).toBe(1)
    clock.advance((10 * HOLD_MS) / 1000 - 1.001)
    expect(await seen()).toBe(1)

    clock.advance(0.001)
    expect(await seen()).toBe(0)
  })

  test('that was prolonged is released under its own id', async () => {
    const { counters, hold, seen } = await world(open)
    const { id } = (await hold([capOf(1)]))!
    await counters.prolong([id], 10 * HOLD_MS)

    await counters.release(id)

    expect(await seen()).toBe(0)
  })

  test('under no cap at all is granted and counts nothing', async () => {
    const { hold, seen } = await world(open)

    expect(await hold([])).toBeDefined()

    expect(await seen()).toBe(0)
  })

  test('from before midnight takes a place of the new day, where it may still happen', async () => {
    const { clock, counters, hold, seen, tell } = await world(open, '2026-06-15T23:59:50Z')
    const { id } = (await hold([capOf(1)]))!

    clock.advance(20)
    expect(await hold([capOf(1)])).toBeUndefined()
    await tell(1)
    await counters.release(id)

    expect(await seen()).toBe(1)
    clock.moveTo('2026-06-17T00:00:00Z')
    expect(await seen()).toBe(0)
  })
}

function endRules(open: OpenCounters): void {
  test('comes by itself when no impression comes', async () => {
    const { clock, hold, seen } = await world(open)
    await hold([capOf(1)])

    clock.advance(HOLD_MS / 1000 - 0.001)
    expect(await seen()).toBe(1)

    clock.advance(0.001)
    expect(await seen()).toBe(0)
    expect(await hold([capOf(1)])).toBeDefined()
  })

  test('by release gives the place back', async () => {
    const { counters, hold } = await world(open)
    const { id } = (await hold([capOf(1)]))!

    await counters.release(id)

    expect(await hold([capOf(1)])).toBeDefined()
  })

  test('comes once: a release after it does nothing', async () => {
    const { clock, counters, hold, seen } = await world(open)
    const [twice, ended] = [(await hold([capOf(9)]))!, (await hold([capOf(9)]))!]
    await counters.release(twice.id)
    await counters.release(twice.id)
    expect(await seen()).toBe(1)

    clock.advance(HOLD_MS / 1000)
    await hold([capOf(9)])
    await counters.release(ended.id)
    await counters.release('of nobody')
    expect(await seen()).toBe(1)
  })
}

function windowRules(open: OpenCounters): void {
  test.each([
    ['Hour', '2026-06-15T12:59:59.999Z', '2026-06-15T13:00:00Z'],
    ['Day', '2026-06-15T23:59:59.999Z', '2026-06-16T00:00:00Z'],
    ['Day', '2028-02-28T23:59:59.999Z', '2028-02-29T00:00:00Z'],
    ['Week', '2026-06-14T23:59:59.999Z', '2026-06-15T00:00:00Z'],
    ['Month', '2026-04-30T23:59:59.999Z', '2026-05-01T00:00:00Z'],
    ['Month', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00Z'],
  ] as const)('%s that ends at %s begins anew at %s', async (window, last, next) => {
    const { clock, seen, tell } = await world(open, last)
    await tell(1, [{ window }])
    expect(await seen({ window })).toBe(1)

    clock.moveTo(next)

    expect(await seen({ window })).toBe(0)
  })

  test.each([
    ['Week', '2026-12-28T00:00:00Z', '2027-01-03T23:59:59.999Z'],
    ['Month', '2028-02-01T00:00:00Z', '2028-02-29T23:59:59.999Z'],
    ['Lifetime', '2026-06-15T12:00:00Z', '2046-06-15T12:00:00Z'],
  ] as const)('%s from %s goes on until %s', async (window, first, last) => {
    const { clock, seen, tell } = await world(open, first)
    await tell(1, [{ window }])

    clock.moveTo(last)

    expect(await seen({ window })).toBe(1)
  })
}

function forgetRules(open: OpenCounters): void {
  test('has seen nothing, and others still have', async () => {
    const { clock, counters, seen } = await world(open)
    const fields = { impressions: 1, atMs: clock.now().getTime() }
    const things = [AD, { ...AD, window: 'Lifetime' } as const]
    for (const userKey of [USER, OTHER]) {
      await counters.restore(things.map((thing) => ({ ...thing, ...fields, userKey })))
    }

    expect(await counters.forget(USER)).toBe(2)
    expect(await counters.forget(USER)).toBe(0)

    expect(await seen()).toBe(0)
    expect(await seen({}, OTHER)).toBe(1)
  })

  test('has no holds either: releasing one later takes nothing from anybody', async () => {
    const { counters, hold, seen } = await world(open)
    const { id } = (await hold([capOf(1)]))!

    await counters.forget(USER)
    await hold([capOf(1)], OTHER)
    await counters.release(id)

    expect(await seen()).toBe(0)
    expect(await seen({}, OTHER)).toBe(1)
    expect(await hold([capOf(1)])).toBeDefined()
  })
}

function restoreRules(open: OpenCounters): void {
  const row = { ...AD, userKey: USER, impressions: 3, atMs: Date.parse('2026-06-15T00:00:00Z') }

  test('counts even above the cap, and beside what is held', async () => {
    const { hold, seen, tell } = await world(open)
    await hold([capOf(1)])

    await tell(2)

    expect(await seen()).toBe(3)
    expect(await seen({ window: 'Week' })).toBe(0)
  })

  test('counts once, however often it is told, and never lowers what is known', async () => {
    const { counters, seen } = await world(open, '2026-06-15T23:00:00Z')

    await counters.restore([row, row])
    await counters.restore([{ ...row, impressions: 2 }])

    expect(await seen()).toBe(3)
  })

  test('of a window that is over is of no matter', async () => {
    const { counters, seen } = await world(open, '2026-06-16T00:00:00Z')

    await counters.restore([row, { ...row, window: 'Week' }])

    expect(await seen()).toBe(0)
    expect(await seen({ window: 'Week' })).toBe(3)
  })
}

function historyRules(open: OpenCounters, histories: number): void {
  test('are counted as a list of impressions and holds would count them', async () => {
    const agrees = fc.asyncProperty(someHistory, async ({ start, steps }) => {
      const pair = await CountersPair.open(start, open)
      for (const step of steps) {
        expect(await pair.take(step)).toBe(true)
        const { adapter, reference } = await pair.seen()
        expect(adapter).toEqual(reference)
      }
    })
    await fc.assert(agrees, { numRuns: histories, seed: SEED })
  })
}
