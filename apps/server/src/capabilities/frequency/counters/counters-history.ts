import fc from 'fast-check'
import { fixedClock, type MovableClock } from '../../../testing/fixed.ts'
import type { CountedThing, Counters } from './counters.ts'
import { ReferenceCounters } from './reference-counters.ts'

const USERS = ['user-a', 'user-b']
const THINGS: readonly CountedThing[] = [
  { scope: 'ad', key: 1, window: 'Hour' },
  { scope: 'ad', key: 1, window: 'Day' },
  { scope: 'ad', key: 2, window: 'Day' },
  { scope: 'campaign', key: 1, window: 'Week' },
  { scope: 'campaign', key: 1, window: 'Lifetime' },
  { scope: 'advertiser', key: 1, window: 'Month' },
]
/** Ends of months, of a leap February, of a year inside an ISO week, and an ordinary noon. */
const STARTS = [
  '2026-04-30T22:30:00Z',
  '2028-02-28T20:00:00Z',
  '2026-12-31T21:00:00Z',
  '2027-01-03T22:00:00Z',
  '2026-06-15T12:00:00Z',
]

const PROLONGED_MS = 3_600_000

const userKey = fc.constantFrom(...USERS)
const thing = fc.constantFrom(...THINGS)
const cap = fc
  .record({ thing, impressionsMax: fc.integer({ min: 0, max: 3 }) })
  .map(({ thing, impressionsMax }) => ({ ...thing, impressionsMax }))

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      userKey,
      caps: fc.array(cap, { maxLength: 4 }),
      holdMs: fc.constantFrom(60_000, 1_800_000),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('prolong', 'release'), which: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), userKey }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      userKey,
      things: fc.array(thing, { maxLength: 3 }),
      impressions: fc.integer({ min: 0, max: 4 }),
      secondsAgo: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100_000 })),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.oneof(
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 600, max: 7_200 }),
        fc.integer({ min: 20_000, max: 400_000 }),
      ),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Steps of two users and a few things, at moments when windows end. */
export const someHistory = fc.record({
  start: fc.constantFrom(...STARTS),
  steps: fc.array(step, { minLength: 1, maxLength: 50, size: 'max' }),
})

/** The adapter and the reference side by side. */
export class CountersPair {
  private readonly clock: MovableClock
  private readonly counters: Counters
  private readonly reference: ReferenceCounters
  private readonly made: { id: string; referenceId: string }[] = []

  private constructor(clock: MovableClock, counters: Counters) {
    this.clock = clock
    this.counters = counters
    this.reference = new ReferenceCounters(clock)
  }

  static async open(
    start: string,
    open: (clock: MovableClock) => Counters | Promise<Counters>,
  ): Promise<CountersPair> {
    const clock = fixedClock(start)
    return new CountersPair(clock, await open(clock))
  }

  /** True if both granted the hold or both refused it. */
  async take(step: Step): Promise<boolean> {
    if (step.do === 'hold') return this.hold(step)
    if (step.do === 'advance') this.clock.advance(step.seconds)
    else if ('which' in step) await this.end(step)
    else for (const one of [this.counters, this.reference]) await this.change(one, step)
    return true
  }

  async seen() {
    return { adapter: await seenBy(this.counters), reference: await seenBy(this.reference) }
  }

  private async hold({ userKey, caps, holdMs }: Extract<Step, { do: 'hold' }>): Promise<boolean> {
    const hold = await (await this.counters.read(userKey)).hold(caps, holdMs)
    const expected = await this.reference.read(userKey).hold(caps, holdMs)
    if (hold === undefined || expected === undefined) return hold === expected
    this.made.push({ id: hold.id, referenceId: expected.id })
    return true
  }

  private async end({ do: verb, which }: Extract<Step, { which: number }>): Promise<void> {
    const hold = this.made[which % this.made.length]
    if (hold === undefined) return
    if (verb === 'prolong') {
      await this.counters.prolong([hold.id], PROLONGED_MS)
      this.reference.prolong([hold.referenceId], PROLONGED_MS)
    } else {
      await this.counters.release(hold.id)
      this.reference.release(hold.referenceId)
    }
  }

  private async change(
    counters: Counters,
    step: Extract<Step, { do: 'forget' | 'restore' }>,
  ): Promise<void> {
    if (step.do === 'forget') return void (await counters.forget(step.userKey))
    const { userKey, impressions, things, secondsAgo } = step
    const atMs = this.clock.now().getTime() - secondsAgo * 1000
    return counters.restore(things.map((thing) => ({ ...thing, userKey, impressions, atMs })))
  }
}

async function seenBy(counters: Counters): Promise<number[][]> {
  const readers = await Promise.all(USERS.map(async (user) => counters.read(user)))
  return readers.map((reader) =>
    THINGS.map(({ scope, key, window }) => reader.seen(scope, key, window)),
  )
}
