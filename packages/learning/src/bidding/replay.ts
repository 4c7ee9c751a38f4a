import { type Auctions, WINDOWS_PER_DAY } from './auctions.ts'
import type { Policy } from './policy.ts'
import { countedTraffic, type TrafficForecast } from './traffic-forecast.ts'

/** Rules of a replay: bids are whole units up to `bidMax`, and a win pays the price in the log. */
export interface Rules {
  readonly bidMax: number
}

export interface Outcome {
  readonly budget: number
  readonly spend: number
  readonly wins: number
  readonly clicks: number
  /** Sum of the pCTR of all wins. */
  readonly value: number
}

class Tally {
  requests = 0
  wins = 0
  spend = 0
  value = 0
  clicks = 0

  clear(): void {
    this.requests = 0
    this.wins = 0
    this.spend = 0
    this.value = 0
    this.clicks = 0
  }

  add(other: Tally): void {
    this.requests += other.requests
    this.wins += other.wins
    this.spend += other.spend
    this.value += other.value
    this.clicks += other.clicks
  }
}

/** Bids on one auction of the log with the remaining budget. */
function play(auctions: Auctions, at: number, hand: { bid: number; tally: Tally }): void {
  const { bid, tally } = hand
  tally.requests++
  const price = auctions.price[at]!
  if (bid < price) return
  tally.wins++
  tally.spend += price
  tally.value += (auctions.worth ?? auctions.pctr)[at]!
  tally.clicks += auctions.click[at]!
}

const capped = (wanted: number, bidMax: number, left: number): number =>
  Math.min(Math.floor(wanted), bidMax, left)

/** One episode in which the policy acts per auction and knows how many there are. */
export function replayEpisode(
  auctions: Auctions,
  policy: Policy,
  { budget, bidMax }: Rules & { budget: number },
): Outcome {
  policy.begin({ budget, windows: auctions.count, traffic: countedTraffic(auctions.count) })
  const total = new Tally()
  const one = new Tally()
  for (let at = 0; at < auctions.count; at++) {
    one.clear()
    const bid = capped(policy.bid(auctions.pctr[at]!), bidMax, budget - total.spend)
    play(auctions, at, { bid, tally: one })
    total.add(one)
    policy.observe(one)
  }
  return outcome(total, budget)
}

export interface DayOutcome extends Outcome {
  /** Largest difference between the share of the budget spent and the share of the traffic seen. */
  readonly maxDeviation: number
  /** Share of the traffic after 98 % of the budget was spent. */
  readonly lost: number
}

const NEARLY_ALL = 0.98

/** One day in windows of 15 minutes. The policy observes each window after its end. */
export function replayDay(
  auctions: Auctions,
  policy: Policy,
  { budget, bidMax, traffic }: Rules & { budget: number; traffic: TrafficForecast },
): DayOutcome {
  policy.begin({ budget, windows: WINDOWS_PER_DAY, traffic })
  const total = new Tally()
  const one = new Tally()
  let maxDeviation = 0
  let goneAt = auctions.count
  let at = 0
  for (let window = 0; window < WINDOWS_PER_DAY; window++) {
    one.clear()
    for (; at < auctions.count && auctions.window[at] === window; at++) {
      const left = budget - total.spend - one.spend
      const bid = capped(policy.bid(auctions.pctr[at]!), bidMax, left)
      play(auctions, at, { bid, tally: one })
      if (bid >= auctions.price[at]!) policy.paid?.(auctions.price[at]!)
      const isGone = total.spend + one.spend >= NEARLY_ALL * budget
      if (isGone && goneAt === auctions.count) goneAt = at + 1
    }
    total.add(one)
    policy.observe(one)
    const deviation = Math.abs(total.spend / budget - at / auctions.count)
    maxDeviation = Math.max(maxDeviation, deviation)
  }
  const lost = (auctions.count - goneAt) / auctions.count
  return { ...outcome(total, budget), maxDeviation, lost }
}

const outcome = ({ spend, wins, clicks, value }: Tally, budget: number): Outcome => ({
  budget,
  spend,
  wins,
  clicks,
  value,
})
