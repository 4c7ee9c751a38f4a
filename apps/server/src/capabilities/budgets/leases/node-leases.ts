import type { Clock, Uptime } from '../../../platform/clock.ts'
import { type SpendColumns, NO_LIMIT } from '../book/spend-columns.ts'
import { CampaignLease } from './campaign-lease.ts'
import type { Campaign } from '../book/buyers.ts'
import type { LeaseGrant, LeaseRequest } from './store-leases.ts'
import type { VerdictChanges } from '../book/verdict-changes.ts'

/** Held money in whole micros, and its payer. */
export interface Hold {
  readonly campaign: Campaign
  readonly day: number
  readonly costMicros: number
}

export interface NodeLeasesDeps {
  readonly clock: Clock
  readonly uptime: Uptime
  readonly spend: SpendColumns
  readonly verdictChanges: VerdictChanges
}

const QUARTER_MS = 900_000

/**
 * The leases of this node, in memory: it reserves from them without asking the database. Between two
 * grants, money only leaves a lease. Ended reservations come back with the next grant, because only
 * the database knows whether they were charged, here or by another node.
 */
export class NodeLeases {
  /** How often an impression did not fit the lease. */
  refused = 0
  private readonly clock: Clock
  private readonly uptime: Uptime
  private readonly spend: SpendColumns
  private readonly verdictChanges: VerdictChanges
  private readonly leases = new Set<CampaignLease>()
  private queued: CampaignLease[] = []
  private requested: CampaignLease[] = []
  private validUntilMs = -Infinity
  private hasLapsed = false
  private quarter = -Infinity

  constructor({ clock, uptime, spend, verdictChanges }: NodeLeasesDeps) {
    this.clock = clock
    this.uptime = uptime
    this.spend = spend
    this.verdictChanges = verdictChanges
  }

  covers(campaign: Campaign, day: number, costMicros: number): boolean {
    if (campaign.budgetMicros === NO_LIMIT) return true
    const lease = this.leaseOf(campaign, day)
    if (lease !== undefined && lease.freeMicros >= costMicros && this.isValid()) return true
    this.refused++
    campaign.highestCostMicros = Math.max(campaign.highestCostMicros, costMicros)
    this.enqueue(lease ?? this.open(campaign, day))
    return false
  }

  hold({ campaign, day, costMicros }: Hold): void {
    const lease = this.leaseOf(campaign, day) ?? this.open(campaign, day)
    lease.usedMicros += costMicros
    lease.reservedMicros += costMicros
    lease.hasUnreported = true
    if (costMicros > campaign.highestCostMicros) campaign.highestCostMicros = costMicros
    this.enqueue(lease)
  }

  /** The ad was never shown, so it cannot be charged. */
  release({ campaign, day, costMicros }: Hold): void {
    const lease = this.leaseOf(campaign, day)
    if (lease === undefined) return
    lease.usedMicros -= costMicros
    this.enqueue(lease)
  }

  /** It was charged, or it expired and may still be charged. */
  endHold({ campaign, day, costMicros }: Hold): void {
    const lease = this.leaseOf(campaign, day)
    if (lease === undefined) return
    lease.endedMicros += costMicros
    lease.hasUnreported = true
    this.enqueue(lease.retryNow())
  }

  /** Its terms changed or its day may be new: checks again what it needs today. */
  reviewCampaign(campaign: Campaign): void {
    campaign.advertiser?.zone?.moveTo(this.clock.now().getTime())
    for (const lease of campaign.leases) if (lease !== undefined) this.enqueue(lease.retryNow())
    if (!campaign.isListed || !campaign.isActive || campaign.budgetMicros === NO_LIMIT) return
    for (const day of this.comingDays(campaign)) {
      if (!this.leaseOf(campaign, day)) this.enqueue(this.open(campaign, day))
    }
  }

  /**
   * Today, and in its last quarter of an hour also tomorrow, so that midnight finds money leased.
   */
  private comingDays({ advertiser }: Campaign): number[] {
    const zone = advertiser?.zone
    if (zone === undefined) return []
    const isEnding = zone.endsWithin(QUARTER_MS, this.clock.now().getTime())
    return isEnding ? [zone.day, zone.day + 1] : [zone.day]
  }

  /**
   * What to request from the database now. Make no other request until this one is granted or
   * abandoned.
   */
  collectRequests(requestsMax: number): LeaseRequest[] {
    this.reviewAtQuarter()
    const nowMs = this.uptime.nowMs()
    const waiting = this.queued
    this.queued = []
    const requests: LeaseRequest[] = []
    for (const lease of waiting) {
      lease.isQueued = false
      const verdict = requests.length < requestsMax ? lease.judge(nowMs) : 'later'
      if (verdict === 'request') requests.push(this.request(lease))
      else if (verdict === 'later') this.enqueue(lease)
      else if (lease.isEmpty) this.drop(lease)
    }
    return requests
  }

  /** Everything free is returned. Held money stays until its holder expires. */
  collectReturns(requestsMax: number): LeaseRequest[] {
    this.validUntilMs = -Infinity
    const leased = [...this.leases]
      .filter(({ amountMicros }) => amountMicros > 0)
      .slice(0, requestsMax)
    return leased.map((lease) => this.request(lease, 0))
  }

  applyGrants(grants: readonly LeaseGrant[], validUntilMs: number): void {
    const requested = new Map(
      this.requested.map((lease) => [nameOf(lease.campaign.key, lease.day), lease]),
    )
    const nowMs = this.uptime.nowMs()
    for (const grant of grants) {
      const lease = requested.get(nameOf(grant.campaignKey, grant.day))
      if (lease === undefined) continue
      lease.applyGrant(grant.amountMicros, nowMs)
      this.applySpent(lease, grant)
      this.verdictChanges.enqueue(lease.campaign)
    }
    this.abandonRequests()
    this.validUntilMs = validUntilMs
    if (this.hasLapsed)
      for (const { campaign } of this.leases) this.verdictChanges.enqueue(campaign)
    this.hasLapsed = false
  }

  /** No grant came. Whatever the database did, the next grant tells. */
  abandonRequests(): void {
    for (const lease of this.requested) {
      if (lease.reportedMicros > 0) lease.hasUnreported = true
      lease.reportedMicros = 0
      this.enqueue(lease)
    }
    this.requested = []
  }

  /** The node renewed too late and lost everything it had leased. */
  loseAll(): void {
    this.abandonRequests()
    this.validUntilMs = -Infinity
    for (const lease of this.leases) {
      lease.amountMicros = 0
      this.enqueue(lease)
    }
  }

  get leasedMicros(): number {
    let sum = 0
    for (const { amountMicros } of this.leases) sum += amountMicros
    return sum
  }

  /** In every time zone of today, budget days begin at a quarter of an hour. */
  private reviewAtQuarter(): void {
    const quarter = Math.floor(this.clock.now().getTime() / QUARTER_MS)
    if (quarter === this.quarter) return
    this.quarter = quarter
    for (const campaign of new Set([...this.leases].map(({ campaign }) => campaign))) {
      this.reviewCampaign(campaign)
    }
  }

  private isValid(): boolean {
    if (this.uptime.nowMs() < this.validUntilMs) return true
    this.hasLapsed = true
    return false
  }

  private request(lease: CampaignLease, targetFreeMicros = lease.targetFreeMicros()): LeaseRequest {
    this.requested.push(lease)
    return lease.request(targetFreeMicros)
  }

  /** Today's spend on all nodes, which pacing follows, without what a reset allows again. */
  private applySpent({ campaign, day }: CampaignLease, grant: LeaseGrant): void {
    if (!campaign.isListed) return
    const { spend } = this
    spend.setSpentOn(campaign.owner, day, Math.max(0, grant.campaignDaySpentMicros))
    spend.setSpentInAll(campaign.owner, grant.campaignSpentMicros)
    const { advertiser } = campaign
    if (advertiser === undefined || advertiser.key !== grant.advertiserKey) return
    spend.setSpentOn(advertiser.owner, day, grant.advertiserDaySpentMicros)
  }

  private leaseOf(campaign: Campaign, day: number): CampaignLease | undefined {
    const lease = campaign.leases[day & 1]
    return lease?.day === day ? lease : undefined
  }

  /** A lease of two days ago stays queued until it is returned. */
  private open(campaign: Campaign, day: number): CampaignLease {
    const lease = new CampaignLease(campaign, day)
    campaign.leases[day & 1] = lease
    this.leases.add(lease)
    return lease
  }

  private drop(lease: CampaignLease): void {
    this.leases.delete(lease)
    const { campaign, day } = lease
    if (this.leaseOf(campaign, day) === lease) campaign.leases[day & 1] = undefined
  }

  private enqueue(lease: CampaignLease): void {
    if (lease.isQueued) return
    lease.isQueued = true
    this.queued.push(lease)
  }
}

const nameOf = (campaignKey: number, day: number): string => `${campaignKey} ${day}`
