import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_LIMIT, SpendColumns } from './spend-columns.ts'

interface Account {
  spent: number
  held: number
}

/** One owner in plain objects: a lifetime, and the latest even and odd day. */
class PlainOwner {
  daily: number | undefined
  total: number | undefined
  readonly life: Account = { spent: 0, held: 0 }
  private readonly days: [PlainDay, PlainDay] = [closedDay(), closedDay()]

  dayAt(day: number): PlainDay {
    return this.days[day & 1]!
  }

  open(day: number): Account {
    const account = this.dayAt(day)
    if (account.day < day) Object.assign(account, { day, spent: 0, held: 0 })
    return account
  }

  isClosed(day: number): boolean {
    return this.dayAt(day).day > day
  }

  on(day: number): Account {
    const account = this.dayAt(day)
    return account.day === day ? account : { spent: 0, held: 0 }
  }
}

interface PlainDay extends Account {
  day: number
}
const closedDay = (): PlainDay => ({ day: -Infinity, spent: 0, held: 0 })

const OWNERS = 3
const DAYS = [20_000, 20_001, 20_002, 20_003]
const owner = fc.nat({ max: OWNERS - 1 })
const day = fc.constantFrom(...DAYS)
const amount = fc.nat({ max: 100 })
const limit = fc.option(fc.nat({ max: 200 }), { nil: undefined })

const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('limits' as const), owner, daily: limit, total: limit }),
    fc.record({ kind: fc.constant('hold' as const), owner, day, micros: amount }),
    fc.record({ kind: fc.constant('end' as const), owner, day, micros: amount, charged: amount }),
    fc.record({ kind: fc.constant('raise' as const), owner, day, micros: amount }),
    fc.record({ kind: fc.constant('set' as const), owner, day, micros: amount }),
  ),
  { maxLength: 60 },
)

test('spend, holds and limits of neighbouring owners are those of plain objects', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const columns = new SpendColumns()
      const rows = Array.from({ length: OWNERS }, () => columns.addOwner())
      const plain = rows.map(() => new PlainOwner())
      for (const step of steps)
        apply(step, { columns, row: rows[step.owner]!, plain: plain[step.owner]! })
      expect(rows.map((row) => columns.heldInAll(row))).toEqual(plain.map(({ life }) => life.held))
      for (const [at, row] of rows.entries()) compare(columns, row, plain[at]!)
    }),
    { seed: 7, numRuns: 300 },
  )
})

type Step = typeof STEPS extends fc.Arbitrary<(infer One)[]> ? One : never

interface Both {
  readonly columns: SpendColumns
  readonly row: number
  readonly plain: PlainOwner
}

function apply(step: Step, { columns, row, plain }: Both): void {
  if (step.kind === 'limits') {
    columns.setLimits(row, step.daily, step.total)
    Object.assign(plain, { daily: step.daily, total: step.total })
    return
  }
  const { day, micros } = step
  if (step.kind === 'hold') {
    if (plain.isClosed(day)) {
      assert.throws(() => columns.hold(row, day, micros), /is closed/)
      return
    }
    columns.hold(row, day, micros)
    plain.life.held += micros
    plain.open(day).held += micros
  }
  if (step.kind === 'end') {
    columns.endHold(row, day, { heldMicros: micros, chargedMicros: step.charged })
    plain.life.held -= micros
    plain.life.spent += step.charged
    const account = plain.on(day)
    account.held -= micros
    account.spent += step.charged
  }
  if (step.kind === 'raise') {
    columns.raiseSpentInAll(row, micros)
    columns.raiseSpentOn(row, day, micros)
    plain.life.spent = Math.max(plain.life.spent, micros)
    if (!plain.isClosed(day)) plain.open(day).spent = Math.max(plain.open(day).spent, micros)
  }
  if (step.kind === 'set') {
    columns.setSpentInAll(row, micros)
    columns.setSpentOn(row, day, micros)
    plain.life.spent = micros
    if (!plain.isClosed(day)) plain.open(day).spent = micros
  }
}

function compare(columns: SpendColumns, row: number, plain: PlainOwner): void {
  const { daily = NO_LIMIT, total = NO_LIMIT, life } = plain
  expect([columns.dailyLimit(row), columns.totalLimit(row), columns.leastLimit(row)]).toEqual([
    daily,
    total,
    Math.min(daily, total),
  ])
  expect([columns.spentInAll(row), columns.heldInAll(row)]).toEqual([life.spent, life.held])
  for (const day of DAYS) {
    const { spent, held } = plain.on(day)
    expect([columns.spentOn(row, day), columns.heldOn(row, day)]).toEqual([spent, held])
    for (const micros of [0, daily - spent - held, total - life.spent - life.held, 1]) {
      const isOpen = !plain.isClosed(day)
      const fitsToday = spent + held + micros <= daily
      const fitsInAll = life.spent + life.held + micros <= total
      expect(columns.fits(row, day, micros)).toBe(isOpen && fitsToday && fitsInAll)
    }
  }
}

test('a row that is used again has neither limits nor spend', () => {
  const columns = new SpendColumns()
  const before = columns.addOwner()
  const neighbour = columns.addOwner()
  columns.setLimits(before, 1, 1)
  columns.hold(before, 20_000, 1)
  columns.setSpentOn(before, 20_001, 1)
  columns.hold(neighbour, 20_000, 5)
  columns.dropOwner(before)

  const after = columns.addOwner()

  expect(after).toBe(before)
  compare(columns, after, new PlainOwner())
  expect(columns.isEmpty(after)).toBe(true)
  expect(columns.isEmpty(neighbour)).toBe(false)
  expect(columns.heldOn(neighbour, 20_000)).toBe(5)
})

test('the used share is of the daily limit, or of the lifetime limit without a daily one', () => {
  const columns = new SpendColumns()
  const row = columns.addOwner()
  columns.hold(row, 20_000, 30)
  columns.hold(row, 20_001, 20)
  expect(columns.shareUsed(row, 20_000)).toBe(0)
  columns.setLimits(row, undefined, 100)
  expect(columns.shareUsed(row, 20_000)).toBe(0.5)
  columns.setLimits(row, 60, 100)
  expect(columns.shareUsed(row, 20_000)).toBe(0.5)
  columns.setLimits(row, 0, 100)
  expect(columns.shareUsed(row, 20_000)).toBe(1)
})
