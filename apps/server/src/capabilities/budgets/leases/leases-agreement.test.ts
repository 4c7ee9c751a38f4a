import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Reservation } from '../book/book.ts'
import { aFleet, type FleetNode, HOLD_MS } from '../../../testing/worlds/lease-world.ts'
import { applyLimits } from '../ledger/store-limits.ts'

const RUNS = 8
const SEED = 20_260_615
const NODES = 3
const limit = fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined })
const node = fc.nat(NODES - 1)

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('refill' as const), node }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      node,
      costMicros: fc.integer({ min: 1, max: 60_000 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      node,
      which: fc.nat(),
      isConfirmed: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold-ends' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stopped' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('budget' as const), dailyMicros: limit }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('all-refill' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

interface Shown {
  readonly reservation: Reservation
  readonly by: FleetNode
}

/** Makes a node misbehave, to see that the test notices. */
type Tamper = (node: FleetNode) => void

type Fleet = Awaited<ReturnType<typeof aFleet>>

/** Real nodes on real books, beside a plain list of charges. */
class Drill {
  chargedMicros = 0
  /** Reservations on a lease that nothing was taken from, and that were not charged. */
  readonly broken: string[] = []
  private readonly fleet: Fleet
  private readonly nodes: FleetNode[]
  private shown: Shown[] = []
  /** Nodes whose lease is certain: no late impression took from it, nothing revoked it. */
  private readonly trusted = new Set<FleetNode>()
  private dailyMicros: number | undefined

  private readonly tamper: Tamper

  constructor(fleet: Fleet, dailyMicros: number | undefined, tamper: Tamper) {
    this.fleet = fleet
    this.dailyMicros = dailyMicros
    this.tamper = tamper
    this.nodes = Array.from({ length: NODES }, () => this.start())
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'all-refill') {
      await Promise.all(this.nodes.map((node) => node.refill()))
    } else if (step.do === 'settle') {
      await this.settle(step)
    } else if (step.do === 'release') {
      const [one] = this.pick(step.which)
      if (one) one.by.book.release(one.reservation.id)
    } else if (step.do === 'budget') {
      await this.changeBudget(step.dailyMicros)
    } else {
      await this.ofNode(step, this.nodes[step.node]!)
    }
  }

  /** What is not spent can be leased again in full once every node has stopped. */
  async afterAll(): Promise<number> {
    for (const node of this.nodes) await this.fleet.expire(node)
    const last = this.start()
    for (let round = 0; round < 60; round++) {
      await last.refill()
      while (last.reserve(1_000));
    }
    return last.nodeLeases.leasedMicros
  }

  private start(): FleetNode {
    const node = this.fleet.startNode()
    this.tamper(node)
    node.book.putCampaign({ ...this.fleet.terms, dailyMicros: this.dailyMicros })
    this.trusted.add(node)
    return node
  }

  private async ofNode(step: Extract<Step, { node: number }>, node: FleetNode): Promise<void> {
    if (step.do === 'refill') await node.refill()
    if (step.do === 'reserve') {
      const reservation = node.reserve(step.costMicros)
      if (reservation) this.shown.push({ reservation, by: node })
    }
    if (step.do === 'hold-ends') {
      this.trusted.delete(node)
      node.advance(HOLD_MS / 1_000)
      node.book.sweep()
    }
    if (step.do === 'crash' || step.do === 'stopped') {
      this.trusted.delete(node)
      await this.fleet.expire(node)
      if (step.do === 'stopped') node.advance(HOLD_MS / 1_000)
      else this.nodes[step.node] = this.start()
    }
  }

  private async settle({
    node,
    which,
    isConfirmed,
  }: Extract<Step, { do: 'settle' }>): Promise<void> {
    const [one] = this.pick(which)
    if (!one) return
    const { reservation, by } = one
    const billing = await this.nodes[node]!.settle(reservation)
    if (billing === 'charged') this.chargedMicros += reservation.costMicros
    else if (this.trusted.has(by)) this.broken.push(reservation.id)
    if (isConfirmed) by.book.confirm(reservation.id, reservation.costMicros)
  }

  private async changeBudget(dailyMicros: number | undefined): Promise<void> {
    const { market, campaignKey, terms } = this.fleet
    this.dailyMicros = dailyMicros
    this.trusted.clear()
    await market.pool.query('update campaigns set budget_daily_micros = $1', [dailyMicros ?? null])
    const at = market.deps.clock.now()
    await applyLimits(market.pool, { campaignKeys: [campaignKey], advertiserKeys: [], at })
    for (const node of this.nodes) node.book.putCampaign({ ...terms, dailyMicros })
  }

  private pick(which: number): Shown[] {
    return this.shown.splice(which % Math.max(1, this.shown.length), 1)
  }
}

const history = fc.record({
  dailyMicros: limit,
  totalMicros: limit,
  advertiserMicros: limit,
  steps: fc.array(step, { minLength: 10, maxLength: 70, size: 'max' }),
})

const bounded = <Value>(value: Value | undefined, name: string) =>
  value === undefined ? {} : { [name]: value }

/** Must hold after every step of any history, and after every node has stopped. */
const neverPassesALimit = (tamper: Tamper) =>
  fc.asyncProperty(history, async ({ steps, ...limits }) => {
    const { dailyMicros, totalMicros, advertiserMicros } = limits
    const fleet = await aFleet({
      ...bounded(dailyMicros, 'dailyMicros'),
      ...bounded(totalMicros, 'totalMicros'),
      ...bounded(advertiserMicros, 'advertiserMicros'),
    })
    const drill = new Drill(fleet, dailyMicros, tamper)
    for (const step of steps) {
      await drill.take(step)
      for (const { spent, leased, limit } of await fleet.books()) {
        expect(spent + leased).toBeLessThanOrEqual(limit ?? Infinity)
        expect(spent).toBe(drill.chargedMicros)
      }
      expect(drill.broken).toEqual([])
    }
    expect(await fleet.prove()).toEqual([])

    const leased = await drill.afterAll()
    const rooms = (await fleet.books()).map(({ spent, limit }) => (limit ?? Infinity) - spent)
    const room = rooms.length === 0 ? Infinity : Math.min(...rooms)
    expect(leased).toBe(room === Infinity ? 0 : room)
    expect(await fleet.prove()).toEqual([])
  })

/** Two nodes lease everything. One of them shows more than it has left before it asks again. */
const allLeased: typeof history extends fc.Arbitrary<infer Value> ? Value : never = {
  dailyMicros: 200_000,
  totalMicros: undefined,
  advertiserMicros: undefined,
  steps: [
    { do: 'refill', node: 0 },
    { do: 'refill', node: 1 },
    { do: 'reserve', node: 0, costMicros: 60_000 },
    { do: 'settle', node: 1, which: 0, isConfirmed: true },
    { do: 'reserve', node: 0, costMicros: 60_000 },
    { do: 'settle', node: 1, which: 0, isConfirmed: true },
  ],
}
const settings = { numRuns: RUNS, seed: SEED, endOnFailure: true }
const examples: [typeof allLeased][] = [[allLeased]]

test('nodes that lease, spend, settle, expire and crash never pass a limit, and nothing leaks', async () => {
  const holds = fc.assert(
    neverPassesALimit(() => {}),
    { ...settings, examples },
  )

  await expect(holds).resolves.toBeUndefined()
}, 120_000)

test('a node that frees confirmed money at once is found out', async () => {
  const freeAtOnce: Tamper = ({ nodeLeases }) => {
    nodeLeases.endHold = (held) => nodeLeases.release(held)
  }

  const { failed, numRuns } = await fc.check(neverPassesALimit(freeAtOnce), {
    ...settings,
    examples,
  })

  expect({ failed, numRuns }).toEqual({ failed: true, numRuns: 1 })
}, 120_000)
