import type { SpendVerdict } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import { ExpiringRows } from '../../../platform/background/expiring-rows.ts'
import { HoldGate } from './hold-gate.ts'
import { HOLD_SHARES } from './hold-share.ts'
import { NO_LIMIT, SpendColumns } from './spend-columns.ts'
import { SpendJudge } from './spend-judge.ts'
import { viewDay, viewLifetime } from './spend-view.ts'
import type {
  AdvertiserTerms,
  BookCounts,
  BookOptions,
  BookSnapshot,
  BudgetBook,
  CampaignTerms,
  CampaignView,
  Reservation,
  ReserveRequest,
  Spend,
  SpentEntry,
} from './book.ts'
import { NodeLeases } from '../leases/node-leases.ts'
import { type OpenReservation, Reservations } from './reservations.ts'
import { Advertiser, Campaign, wholeMicros } from './buyers.ts'
import { VerdictChanges } from './verdict-changes.ts'
import { type ZoneDay, ZoneDays } from './zone-day.ts'

/** The only source of spend in one process. Limits come from the catalogue. */
export const createBudgetBook = (options: BookOptions): BudgetBook => new MemoryBook(options)

/** One minute of 33,000 decisions per second whose ads nobody sees. */
const RESERVATIONS_MAX = 2_000_000
const CAMPAIGNS_PER_SWEEP = 1_000
/** Limits the work of one call after a long pause without decisions. */
const ENDED_PER_CALL = 1_000
/** A day's spend is kept until the day after next, so holds must be shorter. */
const HOLD_MS_MAX = 12 * 3_600_000

export class MemoryBook implements BudgetBook {
  readonly node: string
  readonly nodeLeases: NodeLeases | undefined
  private readonly clock: Clock
  private readonly onVerdictChange: (campaignKey: number, verdict: SpendVerdict) => void
  private readonly zones = new ZoneDays()
  private readonly spend = new SpendColumns()
  private readonly campaigns = new Map<number, Campaign>()
  private readonly advertisers = new Map<number, Advertiser>()
  private readonly verdictChanges = new VerdictChanges()
  private readonly spendJudge: SpendJudge
  private readonly gate: HoldGate
  private readonly counts: Omit<BookCounts, 'refusedShare'> = {
    reserved: 0,
    refused: 0,
    refusedFull: 0,
    confirmed: 0,
    released: 0,
    expired: 0,
    unknown: 0,
  }

  private readonly open: Reservations

  constructor(options: BookOptions) {
    const { clock, random, uptime, onVerdictChange, reservationsMax } = options
    this.clock = clock
    this.onVerdictChange = onVerdictChange ?? (() => {})
    this.node = Buffer.from(random.bytes(6)).toString('base64url')
    const { spend, verdictChanges, campaigns, advertisers } = this
    this.nodeLeases = uptime && new NodeLeases({ clock, uptime, spend, verdictChanges })
    this.spendJudge = new SpendJudge(spend, this.nodeLeases)
    this.gate = new HoldGate(options.holdShares ?? HOLD_SHARES)
    const rowsMax = reservationsMax ?? RESERVATIONS_MAX
    const rows = new ExpiringRows({ prefix: `${this.node}.`, rowsMax })
    this.open = new Reservations(rows, { campaigns, advertisers })
  }

  putAdvertiser({ advertiserKey, dailyMicros, timeZone }: AdvertiserTerms): void {
    const advertiser = this.advertiserFor(advertiserKey)
    this.spend.setLimits(advertiser.owner, limit(dailyMicros), undefined)
    advertiser.zone = this.zones.find(timeZone)
    for (const campaign of advertiser.campaigns) this.applyTerms(campaign)
    this.enqueueAll(advertiser)
  }

  putCampaign(terms: CampaignTerms): void {
    const campaign = this.campaignFor(terms.campaignKey)
    this.spend.setLimits(campaign.owner, limit(terms.dailyMicros), limit(terms.totalMicros))
    campaign.costMicrosMin = wholeMicros(terms.costMicrosMin ?? 1)
    // Smooth spreads a day's budget. Without one there is nothing to spread.
    campaign.isSmooth = terms.strategy === 'Smooth' && terms.dailyMicros !== undefined
    campaign.brake = terms.brake
    campaign.isListed = true
    campaign.isActive = terms.isActive ?? true
    campaign.moveTo(this.advertiserFor(terms.advertiserKey))
    this.applyTerms(campaign)
    this.verdictChanges.enqueue(campaign)
  }

  removeCampaign(campaignKey: number): void {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return
    campaign.isListed = false
    this.nodeLeases?.reviewCampaign(campaign)
    this.verdictChanges.enqueue(campaign)
    this.forgetIfEmpty(campaign)
  }

  restore(entries: Iterable<SpentEntry>): void {
    for (const entry of entries) {
      const spentMicros = wholeMicros(entry.spentMicros)
      if (entry.level === 'advertiser-day') {
        const advertiser = this.advertiserFor(entry.advertiserKey)
        this.spend.raiseSpentOn(advertiser.owner, entry.day, spentMicros)
        this.enqueueAll(advertiser)
        continue
      }
      const campaign = this.campaignFor(entry.campaignKey)
      const { owner } = campaign
      if (entry.level === 'campaign-day') this.spend.raiseSpentOn(owner, entry.day, spentMicros)
      else this.spend.raiseSpentInAll(owner, spentMicros)
      this.verdictChanges.enqueue(campaign)
    }
  }

  expectCost(campaignKey: number, costMicros: number): void {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined || costMicros <= campaign.highestCostMicros) return
    campaign.highestCostMicros = wholeMicros(costMicros)
    this.nodeLeases?.reviewCampaign(campaign)
  }

  /** Its spend changed in the database: refreshes its lease. */
  refresh(campaignKey: number): void {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign?.advertiser !== undefined) this.nodeLeases?.reviewCampaign(campaign)
  }

  judgeSpend(campaignKey: number, costMicros: number, atMs?: number): SpendVerdict {
    const nowMs = this.releaseExpired(atMs)
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return 'exhausted'
    const verdict = this.judge(campaign, costMicros, nowMs)
    if (verdict !== campaign.publishedVerdict) this.verdictChanges.enqueue(campaign)
    return verdict
  }

  utilisation(campaignKey: number): number {
    const nowMs = this.releaseExpired()
    const campaign = this.campaigns.get(campaignKey)
    const zone = campaign && this.today(campaign, nowMs)
    if (campaign === undefined || zone === undefined) return 0
    return this.spend.shareUsed(campaign.owner, zone.day)
  }

  reserve(order: ReserveRequest): Reservation | undefined {
    const { campaignKey, holdMs } = order
    const costMicros = wholeMicros(order.costMicros)
    if (holdMs > HOLD_MS_MAX)
      throw new RangeError(`a hold of ${holdMs} ms is longer than ${HOLD_MS_MAX} ms`)
    const nowMs = this.releaseExpired()
    const campaign = this.campaigns.get(campaignKey)
    const zone = campaign && this.today(campaign, nowMs)
    if (
      campaign === undefined ||
      zone === undefined ||
      !this.spendJudge.fits(campaign, zone, costMicros)
    ) {
      this.counts.refused++
      return undefined
    }
    const hasLimit = costMicros > 0 && campaign.budgetMicros !== NO_LIMIT
    const holder = hasLimit ? order.holder : undefined
    if (holder !== undefined) {
      const free = this.spendJudge.freeFor(campaign, zone, nowMs)
      if (!this.gate.admits(campaign, { ...order, holder }, { free, nowMs })) return undefined
    }
    const row = this.open.rows.open(nowMs, holdMs)
    if (row === undefined) {
      this.counts.refusedFull++
      return undefined
    }
    const { advertiser } = campaign
    const { day } = zone
    this.hold(row, { campaign, advertiser: advertiser!, day, costMicros, holder }, nowMs)
    this.counts.reserved++
    return { id: this.open.rows.idOf(row), campaignKey, costMicros, day }
  }

  get isFull(): boolean {
    return this.open.rows.isFull
  }

  confirm(reservationId: string, chargedMicros: number): boolean {
    wholeMicros(chargedMicros)
    const nowMs = this.releaseExpired()
    const row = this.findOpen(reservationId, nowMs)
    if (row === undefined) return false
    const reserved = this.open.costs[row]!
    if (chargedMicros > reserved) {
      throw new RangeError(`${chargedMicros} micros charged, ${reserved} reserved`)
    }
    this.nodeLeases?.endHold(this.open.read(row))
    this.end(row, chargedMicros, nowMs)
    this.counts.confirmed++
    return true
  }

  charge({ campaignKey, day, micros }: Spend): void {
    const nowMs = this.releaseExpired()
    const campaign = this.campaigns.get(campaignKey)
    if (campaign?.advertiser === undefined) return
    const ended = { heldMicros: 0, chargedMicros: wholeMicros(micros) }
    this.spend.endHold(campaign.owner, day, ended)
    this.spend.endHold(campaign.advertiser.owner, day, ended)
    this.spendChanged(campaign, campaign.advertiser, nowMs)
  }

  release(reservationId: string): boolean {
    const nowMs = this.releaseExpired()
    const row = this.findOpen(reservationId, nowMs)
    if (row === undefined) return false
    this.nodeLeases?.release(this.open.read(row))
    this.end(row, 0, nowMs)
    this.counts.released++
    return true
  }

  sweep(campaignsMax = CAMPAIGNS_PER_SWEEP): number {
    const nowMs = this.releaseExpired()
    this.verdictChanges.enqueueParked(nowMs)
    for (let looked = 0; looked < campaignsMax; looked++) {
      const campaign = this.verdictChanges.dequeue()
      if (campaign === undefined) return 0
      const verdict = this.verdictOf(campaign, nowMs)
      if (this.verdictChanges.publish(campaign, verdict))
        this.onVerdictChange(campaign.key, verdict)
    }
    return this.verdictChanges.size
  }

  findCampaign(campaignKey: number): CampaignView | undefined {
    const nowMs = this.releaseExpired()
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return undefined
    const { owner, advertiser } = campaign
    const day = this.today(campaign, nowMs)?.day
    return {
      campaignKey,
      advertiserKey: advertiser?.key,
      day,
      campaignDay: viewDay(this.spend, owner, day),
      campaignLifetime: viewLifetime(this.spend, owner),
      advertiserDay: advertiser && viewDay(this.spend, advertiser.owner, day),
      reservations: campaign.reservations,
      verdict: this.judge(campaign, campaign.costMicrosMin, nowMs),
    }
  }

  snapshot(): BookSnapshot {
    this.releaseExpired()
    return {
      ...this.counts,
      refusedShare: this.gate.refused,
      campaigns: this.campaigns.size,
      advertisers: this.advertisers.size,
      parked: this.verdictChanges.parked.size,
      reservations: this.open.rows.size,
    }
  }

  private judge(campaign: Campaign, costMicros: number, nowMs: number): SpendVerdict {
    const zone = this.today(campaign, nowMs)
    return this.spendJudge.judge(campaign, zone, { costMicros, nowMs })
  }

  /**
   * The verdict to publish. A removed campaign is in no index, so nothing of it may stay parked.
   */
  private verdictOf(campaign: Campaign, nowMs: number): SpendVerdict {
    if (!campaign.isListed) return 'may-spend'
    return this.judge(campaign, campaign.costMicrosMin, nowMs)
  }

  /** The advertiser's day. Undefined if the campaign may not spend at all. */
  private today({ isListed, advertiser }: Campaign, nowMs: number): ZoneDay | undefined {
    const zone = isListed ? advertiser!.zone : undefined
    zone?.moveTo(nowMs)
    return zone
  }

  private hold(row: number, order: OpenReservation, nowMs: number): void {
    const { campaign, advertiser, day, costMicros } = order
    this.open.write(row, order)
    this.gate.take(order)
    if (costMicros > 0) {
      this.spend.hold(campaign.owner, day, costMicros)
      this.spend.hold(advertiser.owner, day, costMicros)
      this.nodeLeases?.hold(order)
    }
    campaign.reservations++
    this.spendChanged(campaign, advertiser, nowMs)
  }

  private end(row: number, chargedMicros: number, nowMs: number): void {
    const reservation = this.open.read(row)
    const { campaign, advertiser, day, costMicros } = reservation
    this.gate.giveBack(reservation)
    const ended = { heldMicros: costMicros, chargedMicros }
    this.spend.endHold(campaign.owner, day, ended)
    this.spend.endHold(advertiser.owner, day, ended)
    this.open.rows.close(row)
    campaign.reservations--
    this.spendChanged(campaign, advertiser, nowMs)
    this.forgetIfEmpty(campaign)
  }

  private findOpen(reservationId: string, nowMs: number): number | undefined {
    const row = this.open.rows.find(reservationId)
    if (row !== undefined && !this.open.rows.hasEnded(row, nowMs)) return row
    this.counts.unknown++
    return undefined
  }

  private releaseExpired(nowMs = this.clock.now().getTime()): number {
    for (let ended = 0; ended < ENDED_PER_CALL; ended++) {
      const row = this.open.rows.findEnded(nowMs)
      if (row === undefined) break
      this.nodeLeases?.endHold(this.open.read(row))
      this.end(row, 0, nowMs)
      this.counts.expired++
    }
    return nowMs
  }

  private applyTerms(campaign: Campaign): void {
    const ofAdvertiser = this.spend.dailyLimit(campaign.advertiser!.owner)
    campaign.budgetMicros = Math.min(this.spend.leastLimit(campaign.owner), ofAdvertiser)
    this.nodeLeases?.reviewCampaign(campaign)
  }

  private enqueueAll(advertiser: Advertiser): void {
    advertiser.isNearLimit = true
    this.verdictChanges.enqueueAll(advertiser)
  }

  /** An advertiser changes all its campaigns, so it is enqueued only near the end of its money. */
  private spendChanged(campaign: Campaign, advertiser: Advertiser, nowMs: number): void {
    if (this.verdictOf(campaign, nowMs) !== campaign.publishedVerdict)
      this.verdictChanges.enqueue(campaign)
    const { owner, zone, costMicrosMax, isNearLimit } = advertiser
    if (zone === undefined) return
    advertiser.isNearLimit = !this.spend.fits(owner, zone.day, costMicrosMax)
    if (advertiser.isNearLimit || isNearLimit) this.verdictChanges.enqueueAll(advertiser)
  }

  /** Rows arrive in any order: the first to name a campaign or an advertiser creates it. */
  private campaignFor(key: number): Campaign {
    let campaign = this.campaigns.get(key)
    if (campaign === undefined) {
      campaign = new Campaign(key, this.spend.addOwner())
      this.campaigns.set(key, campaign)
    }
    return campaign
  }

  private advertiserFor(key: number): Advertiser {
    let advertiser = this.advertisers.get(key)
    if (advertiser === undefined) {
      advertiser = new Advertiser(key, this.spend.addOwner())
      this.advertisers.set(key, advertiser)
    }
    return advertiser
  }

  /**
   * A removed campaign with spend is kept: if it comes back, it must not spend that money again.
   */
  private forgetIfEmpty(campaign: Campaign): void {
    if (campaign.isListed || campaign.reservations > 0) return
    if (!this.spend.isEmpty(campaign.owner)) return
    campaign.advertiser?.campaigns.delete(campaign)
    this.campaigns.delete(campaign.key)
    this.spend.dropOwner(campaign.owner)
  }
}

const limit = (micros: number | undefined) =>
  micros === undefined ? undefined : wholeMicros(micros)
