import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixedClock, type MovableClock } from '../../../testing/fixed.ts'
import { CountersPair, someHistory } from './counters-history.ts'
import type { CapKey, CountedThing, Counters } from './counters.ts'

/** Empty counters on this clock. */
export type OpenCounters = (clock: MovableClock) => Counters | Promise<Counters>

interface Contract {
  readonly open: OpenCounters
  /** Number of random histories compared with the reference. */
  readonly histories: number
}

const groups = {
  'a cap': capRules,
  'a hold': holdRules,
  'the end of a hold': endRules,
  'a window': windowRules,
  'an erased user': forgetRules,
  'settled counts': restoreRules,
}

/** What every adapter of the counters port must do. Each adapter's test runs this one suite. */
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
    /** Restores counts as settlement does: the database now has this many impressions. */
    restore: async (impressions: number, things: readonly Partial<CountedThing>[] = [AD]) => {
      const fields = { userKey: USER, impressions, atMs: clock.now().getTime() }
      await counters.restore(things.map((thing) => ({ ...AD, ...thing, ...fields })))
    },
  }
}

function capRules(open: OpenCounters): void {
  test('a cap of one admits exactly one of fifty parallel requests of a user', async () => {
    const { counters } = await world(open)
    const readers = await Promise.all(Array.from({ length: 50 }, async () => counters.read(USER)))
    const seen = readers.map((reader) => reader.seen('ad', 7, 'Day'))
    expect(new Set(seen)).toEqual(new Set([0]))

    const holds = await Promise.all(readers.map(async (reader) => reader.hold([capOf(1)], HOLD_MS)))

    expect(holds.filter(Boolean)).toHaveLength(1)
  })

  test('if one of several caps is full, the hold is refused under all of them', async () => {
    const { hold, seen, restore } = await world(open)
    await restore(1, [{ scope: 'campaign' }])

    const caps = [capOf(5), capOf(1, { scope: 'campaign' }), capOf(5, { scope: 'advertiser' })]

    expect(await hold(caps)).toBeUndefined()
    expect(await seen()).toBe(0)
    expect(await seen({ scope: 'campaign' })).toBe(1)
    expect(await seen({ scope: 'advertiser' })).toBe(0)
  })

  test('caps per hour and per day apply to the same ad at once', async () => {
    const { clock, hold, restore } = await world(open, '2026-06-15T12:00:00Z')
    const caps = [capOf(1, { window: 'Hour' }), capOf(2)]
    await restore(1, caps)
    expect(await hold(caps)).toBeUndefined()

    clock.advance(3_600)
    expect(await hold(caps)).toBeDefined()
    await restore(1, [{ window: 'Hour' }])
    await restore(2)

    clock.advance(3_600)
    expect(await hold(caps)).toBeUndefined()
  })

  test('two caps on one thing and window hold an impression once', async () => {
    const { counters, hold, seen } = await world(open)

    const { id } = (await hold([capOf(3), capOf(2)]))!
    expect(await seen()).toBe(1)
    await counters.release(id)

    expect(await seen()).toBe(0)
  })

  test('a cap of zero admits nothing', async () => {
    const { hold } = await world(open)

    expect(await hold([capOf(0)])).toBeUndefined()
  })

  test('counts of different users, keys and scopes are separate', async () => {
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
  test('an impression counts from its hold on, and exactly once after it is settled', async () => {
    const { clock, counters, hold, seen, restore } = await world(open)
    const { id } = (await hold([capOf(2)]))!
    expect(await seen()).toBe(1)

    await restore(1)
    await counters.release(id)
    clock.advance(HOLD_MS / 1000)

    expect(await seen()).toBe(1)
  })

  test('a hold is prolonged while its impression waits to be settled, unless it has ended', async () => {
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

  test('a prolonged hold is released by its original id', async () => {
    const { counters, hold, seen } = await world(open)
    const { id } = (await hold([capOf(1)]))!
    await counters.prolong([id], 10 * HOLD_MS)

    await counters.release(id)

    expect(await seen()).toBe(0)
  })

  test('a hold without caps is granted and counts nothing', async () => {
    const { hold, seen } = await world(open)

    expect(await hold([])).toBeDefined()

    expect(await seen()).toBe(0)
  })

  test('a hold from before midnight also counts on the new day, when its impression may arrive', async () => {
    const { clock, counters, hold, seen, restore } = await world(open, '2026-06-15T23:59:50Z')
    const { id } = (await hold([capOf(1)]))!

    clock.advance(20)
    expect(await hold([capOf(1)])).toBeUndefined()
    await restore(1)
    await counters.release(id)

    expect(await seen()).toBe(1)
    clock.moveTo('2026-06-17T00:00:00Z')
    expect(await seen()).toBe(0)
  })
}

function endRules(open: OpenCounters): void {
  test('a hold ends by itself if no impression arrives', async () => {
    const { clock, hold, seen } = await world(open)
    await hold([capOf(1)])

    clock.advance(HOLD_MS / 1000 - 0.001)
    expect(await seen()).toBe(1)

    clock.advance(0.001)
    expect(await seen()).toBe(0)
    expect(await hold([capOf(1)])).toBeDefined()
  })

  test('releasing a hold frees its place', async () => {
    const { counters, hold } = await world(open)
    const { id } = (await hold([capOf(1)]))!

    await counters.release(id)

    expect(await hold([capOf(1)])).toBeDefined()
  })

  test('a hold ends once: a release after its end does nothing', async () => {
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
  ] as const)('the %s that ends at %s starts anew at %s', async (window, last, next) => {
    const { clock, seen, restore } = await world(open, last)
    await restore(1, [{ window }])
    expect(await seen({ window })).toBe(1)

    clock.moveTo(next)

    expect(await seen({ window })).toBe(0)
  })

  test.each([
    ['Week', '2026-12-28T00:00:00Z', '2027-01-03T23:59:59.999Z'],
    ['Month', '2028-02-01T00:00:00Z', '2028-02-29T23:59:59.999Z'],
    ['Lifetime', '2026-06-15T12:00:00Z', '2046-06-15T12:00:00Z'],
  ] as const)('the %s from %s lasts until %s', async (window, first, last) => {
    const { clock, seen, restore } = await world(open, first)
    await restore(1, [{ window }])

    clock.moveTo(last)

    expect(await seen({ window })).toBe(1)
  })
}

function forgetRules(open: OpenCounters): void {
  test('an erased user has no counts, other users keep theirs', async () => {
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

  test('an erased user has no holds: releasing one later changes nothing for anyone', async () => {
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

  test('restored counts may exceed the cap, and add to the holds', async () => {
    const { hold, seen, restore } = await world(open)
    await hold([capOf(1)])

    await restore(2)

    expect(await seen()).toBe(3)
    expect(await seen({ window: 'Week' })).toBe(0)
  })

  test('a count restored several times counts once, and never lowers a known count', async () => {
    const { counters, seen } = await world(open, '2026-06-15T23:00:00Z')

    await counters.restore([row, row])
    await counters.restore([{ ...row, impressions: 2 }])

    expect(await seen()).toBe(3)
  })

  test('a restored count of a past window is ignored', async () => {
    const { counters, seen } = await world(open, '2026-06-16T00:00:00Z')

    await counters.restore([row, { ...row, window: 'Week' }])

    expect(await seen()).toBe(0)
    expect(await seen({ window: 'Week' })).toBe(3)
  })
}

function historyRules(open: OpenCounters, histories: number): void {
  test('random histories give the same counts as a plain list of impressions and holds', async () => {
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
