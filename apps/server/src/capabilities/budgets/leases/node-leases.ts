import type { Clock, Uptime } from '../../../platform/clock.ts'
import { type Accounts, NO_LIMIT } from '../book/spend-columns.ts'
import { Slice } from './campaign-lease.ts'
import type { Campaign } from '../book/buyers.ts'
import type { LeaseAnswer, LeaseAsk } from './store-leases.ts'
import type { Turning } from '../book/verdict-changes.ts'

/** Held money, in whole micros, and whose it is. */
export interface Held {
  readonly campaign: Campaign
  readonly day: number
  readonly costMicros: number
}

export interface PurseDeps {
  readonly clock: Clock
  readonly uptime: Uptime
  readonly accounts: Accounts
  readonly turning: Turning
}

const QUARTER_MS = 900_000

/**
 * What this node may hand out without asking: its leases, in memory. Between two answers of the
 * database money only leaves a slice. What was shown and is over comes back with the next answer,
 * because only the database knows whether it was charged, here or by another node.
 */
export class Purse {
  /** How often a showing did not fit what is leased. */
  refused = 0
  private readonly clock: Clock
  private readonly uptime: Uptime
  private readonly accounts: Accounts
  private readonly turning: Turning
  private readonly slices = new Set<Slice>()
  private noted: Slice[] = []
  private asked: Slice[] = []
  private validUntilMs = -Infinity
  private hasLapsed = false
  private quarter = -Infinity

  constructor({ clock, uptime, accounts, turning }: PurseDeps) {
    this.clock = clock
    this.uptime = uptime
    this.accounts = accounts
    this.turning = turning
  }

  covers(campaign: Campaign, day: number, costMicros: number): boolean {
    if (campaign.budgetMicros === NO_LIMIT) return true
    const slice = this.sliceOf(campaign, day)
    if (slice !== undefined && slice.freeMicros >= costMicros && this.isValid()) return true
    this.refused++
    campaign.costMicrosSeen = Math.max(campaign.costMicrosSeen, costMicros)
    this.note(slice ?? this.open(campaign, day))
    return false
  }

  hold({ campaign, day, costMicros }: Held): void {
    const slice = this.sliceOf(campaign, day) ?? this.open(campaign, day)
    slice.usedMicros += costMicros
    slice.reservedMicros += costMicros
    slice.isUntold = true
    if (costMicros > campaign.costMicrosSeen) campaign.costMicrosSeen = costMicros
    this.note(slice)
  }

  /** It was never shown: nobody can charge it. */
  giveBack({ campaign, day, costMicros }: Held): void {
    const slice = this.sliceOf(campaign, day)
    if (slice === undefined) return
    slice.usedMicros -= costMicros
    this.note(slice)
  }

  /** It was charged, or it has ended and may still be charged. */
  finish({ campaign, day, costMicros }: Held): void {
    const slice = this.sliceOf(campaign, day)
    if (slice === undefined) return
    slice.endedMicros += costMicros
    slice.isUntold = true
    this.note(slice.hurried())
  }

  /** Its terms changed, or it may be a new day: what it needs today is looked at again. */
  noteCampaign(campaign: Campaign): void {
    campaign.advertiser?.zone?.moveTo(this.clock.now().getTime())
    for (const slice of campaign.slices) if (slice !== undefined) this.note(slice.hurried())
    if (!campaign.isListed || !campaign.isActive || campaign.budgetMicros === NO_LIMIT) return
    for (const day of this.comingDays(campaign)) {
      if (!this.sliceOf(campaign, day)) this.note(this.open(campaign, day))
    }
  }

  /** Today, and in its last quarter of an hour tomorrow: midnight finds money at hand too. */
  private comingDays({ advertiser }: Campaign): number[] {
    const zone = advertiser?.zone
    if (zone === undefined) return []
    const isEnding = zone.endsWithin(QUARTER_MS, this.clock.now().getTime())
    return isEnding ? [zone.day, zone.day + 1] : [zone.day]
  }

  /** What to ask of the database now. Until the answer is there, or is given up, ask nothing else. */
  collectAsks(asksMax: number): LeaseAsk[] {
    this.noteTime()
    const nowMs = this.uptime.nowMs()
    const waiting = this.noted
    this.noted = []
    const asks: LeaseAsk[] = []
    for (const slice of waiting) {
      slice.isNoted = false
      const verdict = asks.length < asksMax ? slice.judge(nowMs) : 'later'
      if (verdict === 'ask') asks.push(this.ask(slice))
      else if (verdict === 'later') this.note(slice)
      else if (slice.isEmpty) this.drop(slice)
    }
    return asks
  }

  /** Everything that is free goes back; what is held stays until its holder expires. */
  collectReturns(asksMax: number): LeaseAsk[] {
    this.validUntilMs = -Infinity
    const leased = [...this.slices].filter(({ amountMicros }) => amountMicros > 0).slice(0, asksMax)
    return leased.map((slice) => this.ask(slice, 0))
  }

  take(answers: readonly LeaseAnswer[], validUntilMs: number): void {
    const asked = new Map(this.asked.map((slice) => [nameOf(slice.campaign.key, slice.day), slice]))
    const nowMs = this.uptime.nowMs()
    for (const answer of answers) {
      const slice = asked.get(nameOf(answer.campaignKey, answer.day))
      if (slice === undefined) continue
      slice.take(answer.amountMicros, nowMs)
      this.learnSpent(slice, answer)
      this.turning.note(slice.campaign)
    }
    this.giveUp()
    this.validUntilMs = validUntilMs
    if (this.hasLapsed) for (const { campaign } of this.slices) this.turning.note(campaign)
    this.hasLapsed = false
  }

  /** No answer came: whatever the database did, the next one says. */
  giveUp(): void {
    for (const slice of this.asked) {
      if (slice.askedMicros > 0) slice.isUntold = true
      slice.askedMicros = 0
      this.note(slice)
    }
    this.asked = []
  }

  /** The node was away for too long: nothing of what it held is its own any more. */
  lose(): void {
    this.giveUp()
    this.validUntilMs = -Infinity
    for (const slice of this.slices) {
      slice.amountMicros = 0
      this.note(slice)
    }
  }

  get leasedMicros(): number {
    let sum = 0
    for (const { amountMicros } of this.slices) sum += amountMicros
    return sum
  }

  /** Budget days begin at quarters of an hour, in every zone of today. */
  private noteTime(): void {
    const quarter = Math.floor(this.clock.now().getTime() / QUARTER_MS)
    if (quarter === this.quarter) return
    this.quarter = quarter
    for (const campaign of new Set([...this.slices].map(({ campaign }) => campaign))) {
      this.noteCampaign(campaign)
    }
  }

  private isValid(): boolean {
    if (this.uptime.nowMs() < this.validUntilMs) return true
    this.hasLapsed = true
    return false
  }

  private ask(slice: Slice, wantMicros = slice.wantMicros()): LeaseAsk {
    this.asked.push(slice)
    return slice.ask(wantMicros)
  }

  /** Today's spend of the whole fleet, which pacing follows; what a reset allows again is not in it. */
  private learnSpent({ campaign, day }: Slice, answer: LeaseAnswer): void {
    if (!campaign.isListed) return
    const { accounts } = this
    accounts.setSpentOn(campaign.owner, day, Math.max(0, answer.campaignDaySpentMicros))
    accounts.setSpentInAll(campaign.owner, answer.campaignSpentMicros)
    const { advertiser } = campaign
    if (advertiser === undefined || advertiser.key !== answer.advertiserKey) return
    accounts.setSpentOn(advertiser.owner, day, answer.advertiserDaySpentMicros)
  }

  private sliceOf(campaign: Campaign, day: number): Slice | undefined {
    const slice = campaign.slices[day & 1]
    return slice?.day === day ? slice : undefined
  }

  /** A slice of two days ago that is pushed out stays noted until it is returned. */
  private open(campaign: Campaign, day: number): Slice {
    const slice = new Slice(campaign, day)
    campaign.slices[day & 1] = slice
    this.slices.add(slice)
    return slice
  }

  private drop(slice: Slice): void {
    this.slices.delete(slice)
    const { campaign, day } = slice
    if (this.sliceOf(campaign, day) === slice) campaign.slices[day & 1] = undefined
  }

  private note(slice: Slice): void {
    if (slice.isNoted) return
    slice.isNoted = true
    this.noted.push(slice)
  }
}

const nameOf = (campaignKey: number, day: number): string => `${campaignKey} ${day}`
