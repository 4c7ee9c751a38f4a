import { DAY_MS } from '@placard/calendar'
import type { SpendVerdict } from '@placard/decision-engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedClock, type MovableClock, seededRandom } from '../../../testing/fixed.ts'
import type { SpendView, BudgetBook, CampaignView, ReserveRequest, SpentEntry } from './book.ts'
import { createBudgetBook } from './memory-book.ts'
import { type Levels, ReferenceBook } from './reference-book.ts'

const RUNS = 150
const SEED = 20_260_615
const CAMPAIGNS = [11, 12, 13]
const COSTS = [0, 1, 3, 10]
const ADVERTISERS = [1, 2]
const ZONES = ['America/New_York', 'Asia/Kolkata', 'Europe/London']
/** Just before clock changes, a leap day and a New Year, and an ordinary evening. */
const STARTS = [
  '2026-03-07T22:00:00Z',
  '2026-10-31T22:00:00Z',
  '2028-02-28T20:00:00Z',
  '2026-12-31T20:00:00Z',
  '2026-06-15T17:00:00Z',
]

const limit = fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined })
const campaignKey = fc.constantFrom(...CAMPAIGNS)
const advertiserKey = fc.constantFrom(...ADVERTISERS)

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('put-campaign' as const),
      terms: fc.record({
        campaignKey,
        advertiserKey,
        dailyMicros: limit,
        totalMicros: limit,
        strategy: fc.constantFrom('Smooth', 'Accelerated'),
        brake: fc.option(
          fc.record({
            day: fc.constantFrom(...STARTS.map((start) => Math.floor(Date.parse(start) / DAY_MS))),
            micros: fc.integer({ min: 0, max: 40 }),
          }),
          { nil: undefined },
        ),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('put-advertiser' as const),
      terms: fc.record({ advertiserKey, dailyMicros: limit, timeZone: fc.constantFrom(...ZONES) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), campaignKey }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      order: fc.record({
        campaignKey,
        costMicros: fc.integer({ min: 0, max: 20 }),
        holdMs: fc.constantFrom(60_000, 1_800_000),
        nextCostMicros: fc.constantFrom(0, 5, 15),
        holder: fc.option(
          fc.record({ number: fc.constantFrom(1, 2, 3), isVouched: fc.boolean() }),
          { nil: undefined },
        ),
      }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('confirm' as const, 'release' as const),
      which: fc.nat(),
      share: fc.constantFrom(0, 0.5, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      campaignKey,
      advertiserKey,
      level: fc.constantFrom('campaign-day', 'campaign-lifetime', 'advertiser-day'),
      spentMicros: fc.integer({ min: 0, max: 30 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.oneof(
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 900, max: 7_200 }),
        fc.integer({ min: 20_000, max: 100_000 }),
      ),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Answers = readonly [book: unknown, reference: unknown]
const SILENT: Answers = [undefined, undefined]

/** The book and the reference side by side. */
class Pair {
  private readonly clock: MovableClock
  private readonly book: BudgetBook
  private readonly reference: ReferenceBook
  private readonly published = new Map<number, SpendVerdict>()
  private readonly made: { id: string; place: number; costMicros: number }[] = []

  constructor(start: string) {
    this.clock = fixedClock(start)
    this.reference = new ReferenceBook(this.clock)
    this.book = createBudgetBook({
      clock: this.clock,
      random: seededRandom(),
      onVerdictChange: (key, verdict) => this.published.set(key, verdict),
    })
  }

  take(step: Step): Answers {
    const { book, reference } = this
    if (step.do === 'reserve') return this.reserve(step.order)
    if (step.do === 'restore') return this.restore(step)
    if ('which' in step) return this.end(step)
    for (const one of [book, reference]) {
      if (step.do === 'put-campaign') one.putCampaign(step.terms)
      if (step.do === 'put-advertiser') one.putAdvertiser(step.terms)
      if (step.do === 'remove') one.removeCampaign(step.campaignKey)
    }
    if (step.do === 'advance') this.clock.advance(step.seconds)
    return SILENT
  }

  /** The book does not check a parked campaign, so none that may spend may stay parked. */
  wronglyParked(): number[] {
    while (this.book.sweep() > 0);
    return CAMPAIGNS.filter((key) => {
      const isParked = (this.published.get(key) ?? 'may-spend') !== 'may-spend'
      return isParked && this.reference.judgeSpend(key, 1) === 'may-spend'
    })
  }

  /** Every question the book answers. Verdicts are published only after the next sweep. */
  askBook() {
    const { book, published } = this
    const verdicts = CAMPAIGNS.map((key) => COSTS.map((cost) => book.judgeSpend(key, cost)))
    while (book.sweep() > 0);
    return CAMPAIGNS.map((campaignKey, at) => ({
      verdicts: verdicts[at]!,
      levels: levelsOf(book.findCampaign(campaignKey)),
      published: published.get(campaignKey) ?? 'may-spend',
    }))
  }

  askReference() {
    return CAMPAIGNS.map((campaignKey) => {
      const verdicts = COSTS.map((cost) => this.reference.judgeSpend(campaignKey, cost))
      const isListed = this.reference.isListed(campaignKey)
      const published = isListed ? this.reference.judgeSpend(campaignKey, 1) : 'may-spend'
      return { verdicts, levels: this.reference.levels(campaignKey), published }
    })
  }

  private reserve(order: ReserveRequest): Answers {
    const reservation = this.book.reserve(order)
    const place = this.reference.reserve(order)
    if (reservation !== undefined && place !== undefined) {
      this.made.push({ id: reservation.id, place, costMicros: order.costMicros })
    }
    return [reservation !== undefined, place !== undefined]
  }

  private end({ do: verb, which, share }: Extract<Step, { which: number }>): Answers {
    const reservation = this.made[which % this.made.length]
    if (reservation === undefined) return SILENT
    const { id, place, costMicros } = reservation
    const charged = verb === 'confirm' ? Math.floor(costMicros * share) : 0
    const isEnded = verb === 'confirm' ? this.book.confirm(id, charged) : this.book.release(id)
    return [isEnded, this.reference.end(place, charged)]
  }

  /** Restores twice, because twice must equal once. */
  private restore(step: Extract<Step, { do: 'restore' }>): Answers {
    const day = this.reference.levels(step.campaignKey)?.day
    if (day === undefined) return SILENT
    const entry = entryOf(step, day)
    return [this.book.restore([entry, entry]), this.reference.restore(entry)]
  }
}

function entryOf(step: Extract<Step, { do: 'restore' }>, day: number): SpentEntry {
  const { level, campaignKey, advertiserKey, spentMicros } = step
  if (level === 'campaign-lifetime') return { level, campaignKey, spentMicros }
  if (level === 'campaign-day') return { level, campaignKey, day, spentMicros }
  return { level, advertiserKey, day, spentMicros }
}

function levelsOf(view: CampaignView | undefined): Levels | undefined {
  if (view?.day === undefined) return undefined
  const { day, campaignDay, campaignLifetime, advertiserDay } = view
  return { day, campaignDay, campaignLifetime, advertiserDay }
}

type State = ReturnType<Pair['askBook']>

/** Spend columns that gained money in a step and are above their limit after it. */
function overspent(before: State, after: State): SpendView[] {
  return after.flatMap(({ levels }, at) => {
    const old = before[at]!.levels
    if (levels === undefined || old === undefined) return []
    const pairs = [[old.campaignLifetime, levels.campaignLifetime]]
    if (old.day === levels.day) {
      pairs.push([old.campaignDay, levels.campaignDay], [old.advertiserDay!, levels.advertiserDay!])
    }
    const grown = pairs.filter(([old, now]) => usedOf(now!) > usedOf(old!)).map(([, now]) => now!)
    return grown.filter((account) => usedOf(account) > (account.limitMicros ?? Infinity))
  })
}

const usedOf = ({ spentMicros, heldMicros }: SpendView) => spentMicros + heldMicros

const history = fc.record({
  start: fc.constantFrom(...STARTS),
  steps: fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
})

/** Both start with some spend, so that short histories test something too. */
function startPair(start: string): Pair {
  const pair = new Pair(start)
  for (const [at, advertiserKey] of ADVERTISERS.entries()) {
    const terms = { advertiserKey, dailyMicros: 40, timeZone: ZONES[at]! }
    pair.take({ do: 'put-advertiser', terms })
  }
  for (const [at, campaignKey] of CAMPAIGNS.entries()) {
    const terms = { campaignKey, advertiserKey: 1 + (at % 2), dailyMicros: 30, totalMicros: 50 }
    const strategy = at === 0 ? 'Smooth' : 'Accelerated'
    pair.take({ do: 'put-campaign', terms: { ...terms, strategy, brake: undefined } })
  }
  return pair
}

const MOVES_LIMITS_OR_TRUTH = new Set(['put-campaign', 'put-advertiser', 'restore'])

test('the book agrees with a log that is added up from scratch, and no step passes a limit', () => {
  fc.assert(
    fc.property(history, ({ start, steps }) => {
      const pair = startPair(start)
      let before = pair.askBook()
      for (const step of steps) {
        const [answer, expected] = pair.take(step)
        expect(answer).toEqual(expected)
        expect(pair.wronglyParked()).toEqual([])
        const after = pair.askBook()
        expect(after).toEqual(pair.askReference())
        const mayExceed = MOVES_LIMITS_OR_TRUTH.has(step.do)
        expect(mayExceed ? [] : overspent(before, after)).toEqual([])
        before = after
      }
    }),
    { numRuns: RUNS, seed: SEED },
  )
})
