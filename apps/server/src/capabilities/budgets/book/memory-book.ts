import { judgePacing, type SpendVerdict } from '@placard/decision-engine'
import type { Random } from '../../../platform/random.ts'
import type { Clock, Uptime } from '../../../platform/clock.ts'
import { TimedSlots } from '../../../platform/background/expiring-rows.ts'
import { Accounts } from './spend-columns.ts'
import { viewDay, viewLifetime } from './spend-view.ts'
import type {
  AdvertiserTerms,
  BookCounts,
  BookSnapshot,
  BudgetBook,
  CampaignTerms,
  CampaignView,
  Reservation,
  ReserveOrder,
  Spend,
  SpentEntry,
} from './book.ts'
import { Purse } from '../leases/node-leases.ts'
import { type Order, Reservations } from './reservations.ts'
import { Advertiser, Campaign, wholeMicros } from './buyers.ts'
import { Turning } from './verdict-changes.ts'
import { type ZoneDay, ZoneDays } from './zone-day.ts'

export interface BookOptions {
  readonly clock: Clock
  readonly random: Random
  /** A campaign is exhausted or ahead of plan, or may spend again. Called by `sweep` only. */
  readonly onVerdictChange?: (campaignKey: number, verdict: SpendVerdict) => void
  /** With more at once, serving refuses: a bound on memory, not on money. */
  readonly reservationsMax?: number
  /** With it, what is reserved must be leased. */
  readonly uptime?: Uptime
}

/** The truth of one process; limits are those of the catalogue. */
export const createBudgetBook = (options: BookOptions): BudgetBook => new MemoryBook(options)

/** A minute of 33,000 decisions a second of which nobody sees the ad. */
const RESERVATIONS_MAX = 2_000_000
const CAMPAIGNS_PER_SWEEP = 1_000
/** So that a long silence before a decision does not become a long decision. */
const ENDED_PER_CALL = 1_000
/** A held day's account is kept until the day after the next: holds must be shorter. */
const HOLD_MS_MAX = 12 * 3_600_000

export class MemoryBook implements BudgetBook {
  readonly node: string
  readonly purse: Purse | undefined
  private readonly clock: Clock
  private readonly onVerdictChange: (campaignKey: number, verdict: SpendVerdict) => void
  private readonly zones = new ZoneDays()
  private readonly accounts = new Accounts()
  private readonly campaigns = new Map<number, Campaign>()
  private readonly advertisers = new Map<number, Advertiser>()
  private readonly turning = new Turning()
  private readonly counts: BookCounts = {
    reserved: 0,
    refused: 0,
    refusedFull: 0,
    confirmed: 0,
    released: 0,
    expired: 0,
    unknown: 0,
  }

  private readonly open: Reservations
  /** Filled anew for each question, because an object per candidate would be garbage. */
  private readonly budgetDay = { strategy: 'Smooth' as const, limitMicros: 0, spentMicros: 0 }

  constructor({ clock, random, uptime, onVerdictChange, reservationsMax }: BookOptions) {
    this.clock = clock
    this.onVerdictChange = onVerdictChange ?? (() => {})
    this.node = Buffer.from(random.bytes(6)).toString('base64url')
    const { accounts, turning, campaigns, advertisers } = this
    this.purse = uptime && new Purse({ clock, uptime, accounts, turning })
    const slotsMax = reservationsMax ?? RESERVATIONS_MAX
    const slots = new TimedSlots({ prefix: `${this.node}.`, slotsMax })
    this.open = new Reservations(slots, { campaigns, advertisers })
  }

  putAdvertiser({ advertiserKey, dailyMicros, timeZone }: AdvertiserTerms): void {
    const advertiser = this.advertiserFor(advertiserKey)
    this.accounts.setLimits(advertiser.owner, limit(dailyMicros), undefined)
    advertiser.zone = this.zones.find(timeZone)
    for (const campaign of advertiser.campaigns) this.noteTerms(campaign)
    this.noteAll(advertiser)
  }

  putCampaign(terms: CampaignTerms): void {
    const campaign = this.campaignFor(terms.campaignKey)
    this.accounts.setLimits(campaign.owner, limit(terms.dailyMicros), limit(terms.totalMicros))
    campaign.costMicrosMin = wholeMicros(terms.costMicrosMin ?? 1)
    // Smooth spreads a day's budget: without one there is nothing to spread.
    campaign.isSmooth = terms.strategy === 'Smooth' && terms.dailyMicros !== undefined
    campaign.brake = terms.brake
    campaign.isListed = true
    campaign.isActive = terms.isActive ?? true
    campaign.moveTo(this.advertiserFor(terms.advertiserKey))
    this.noteTerms(campaign)
    this.turning.note(campaign)
  }

  removeCampaign(campaignKey: number): void {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return
    campaign.isListed = false
    this.purse?.noteCampaign(campaign)
    this.turning.note(campaign)
    this.forgetIfEmpty(campaign)
  }

  restore(entries: Iterable<SpentEntry>): void {
    for (const entry of entries) {
      const spentMicros = wholeMicros(entry.spentMicros)
      if (entry.level === 'advertiser-day') {
        const advertiser = this.advertiserFor(entry.advertiserKey)
        this.accounts.raiseSpentOn(advertiser.owner, entry.day, spentMicros)
        this.noteAll(advertiser)
        continue
      }
      const campaign = this.campaignFor(entry.campaignKey)
      const { owner } = campaign
      if (entry.level === 'campaign-day') this.accounts.raiseSpentOn(owner, entry.day, spentMicros)
      else this.accounts.raiseSpentInAll(owner, spentMicros)
      this.turning.note(campaign)
    }
  }

  expectCost(campaignKey: number, costMicros: number): void {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined || costMicros <= campaign.costMicrosSeen) return
    campaign.costMicrosSeen = wholeMicros(costMicros)
    this.purse?.noteCampaign(campaign)
  }

  /** Its accounts changed in the database: it asks for its lease again. */
  refresh(campaignKey: number): void {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign?.advertiser !== undefined) this.purse?.noteCampaign(campaign)
  }

  judgeSpend(campaignKey: number, costMicros: number, atMs?: number): SpendVerdict {
    const nowMs = this.giveBackEnded(atMs)
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return 'exhausted'
    const verdict = this.judge(campaign, costMicros, nowMs)
    if (verdict !== campaign.told) this.turning.note(campaign)
    return verdict
  }

  utilisation(campaignKey: number): number {
    const nowMs = this.giveBackEnded()
    const campaign = this.campaigns.get(campaignKey)
    const zone = campaign && this.today(campaign, nowMs)
    if (campaign === undefined || zone === undefined) return 0
    return this.accounts.shareUsed(campaign.owner, zone.day)
  }

  reserve(order: ReserveOrder): Reservation | undefined {
    const { campaignKey, holdMs } = order
    const costMicros = wholeMicros(order.costMicros)
    if (holdMs > HOLD_MS_MAX) throw new RangeError(`a hold of ${holdMs} ms outlives its day`)
    const nowMs = this.giveBackEnded()
    const campaign = this.campaigns.get(campaignKey)
    const zone = campaign && this.today(campaign, nowMs)
    if (campaign === undefined || zone === undefined || !this.fits(campaign, zone, costMicros)) {
      this.counts.refused++
      return undefined
    }
    const slot = this.open.slots.open(nowMs, holdMs)
    if (slot === undefined) {
      this.counts.refusedFull++
      return undefined
    }
    const { advertiser } = campaign
    this.hold(slot, { campaign, advertiser: advertiser!, day: zone.day, costMicros }, nowMs)
    this.counts.reserved++
    return { id: this.open.slots.idOf(slot), campaignKey, costMicros, day: zone.day }
  }

  get isFull(): boolean {
    return this.open.slots.isFull
  }

  confirm(reservationId: string, chargedMicros: number): boolean {
    wholeMicros(chargedMicros)
    const nowMs = this.giveBackEnded()
    const slot = this.findOpen(reservationId, nowMs)
    if (slot === undefined) return false
    const reserved = this.open.costs[slot]!
    if (chargedMicros > reserved) {
      throw new RangeError(`${chargedMicros} micros charged, ${reserved} reserved`)
    }
    this.purse?.finish(this.open.orderOf(slot))
    this.end(slot, chargedMicros, nowMs)
    this.counts.confirmed++
    return true
  }

  charge({ campaignKey, day, micros }: Spend): void {
    const nowMs = this.giveBackEnded()
    const campaign = this.campaigns.get(campaignKey)
    if (campaign?.advertiser === undefined) return
    const settlement = { heldMicros: 0, chargedMicros: wholeMicros(micros) }
    this.accounts.settle(campaign.owner, day, settlement)
    this.accounts.settle(campaign.advertiser.owner, day, settlement)
    this.noteMoney(campaign, campaign.advertiser, nowMs)
  }

  release(reservationId: string): boolean {
    const nowMs = this.giveBackEnded()
    const slot = this.findOpen(reservationId, nowMs)
    if (slot === undefined) return false
    this.purse?.giveBack(this.open.orderOf(slot))
    this.end(slot, 0, nowMs)
    this.counts.released++
    return true
  }

  sweep(campaignsMax = CAMPAIGNS_PER_SWEEP): number {
    const nowMs = this.giveBackEnded()
    this.turning.noteTime(nowMs)
    for (let looked = 0; looked < campaignsMax; looked++) {
      const campaign = this.turning.take()
      if (campaign === undefined) return 0
      const verdict = this.verdictOf(campaign, nowMs)
      if (this.turning.tell(campaign, verdict)) this.onVerdictChange(campaign.key, verdict)
    }
    return this.turning.size
  }

  findCampaign(campaignKey: number): CampaignView | undefined {
    const nowMs = this.giveBackEnded()
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return undefined
    const { owner, advertiser } = campaign
    const day = this.today(campaign, nowMs)?.day
    return {
      campaignKey,
      advertiserKey: advertiser?.key,
      day,
      campaignDay: viewDay(this.accounts, owner, day),
      campaignLifetime: viewLifetime(this.accounts, owner),
      advertiserDay: advertiser && viewDay(this.accounts, advertiser.owner, day),
      reservations: campaign.reservations,
      verdict: this.judge(campaign, campaign.costMicrosMin, nowMs),
    }
  }

  snapshot(): BookSnapshot {
    this.giveBackEnded()
    return {
      ...this.counts,
      campaigns: this.campaigns.size,
      advertisers: this.advertisers.size,
      parked: this.turning.parked.size,
      reservations: this.open.slots.size,
    }
  }

  private judge(campaign: Campaign, costMicros: number, nowMs: number): SpendVerdict {
    const zone = this.today(campaign, nowMs)
    if (zone === undefined || !this.fits(campaign, zone, costMicros)) return 'exhausted'
    if (costMicros === 0) return 'may-spend'
    const { budgetDay, accounts } = this
    const { brake } = campaign
    if (brake?.day === zone.day) {
      const used = accounts.usedOn(campaign.owner, zone.day)
      return used + costMicros <= brake.micros ? 'may-spend' : 'ahead-of-plan'
    }
    if (!campaign.isSmooth) return 'may-spend'
    budgetDay.limitMicros = accounts.dailyLimit(campaign.owner)
    budgetDay.spentMicros = accounts.usedOn(campaign.owner, zone.day)
    return judgePacing(budgetDay, costMicros, zone.progressAt(nowMs))
  }

  /** What is told of it. A removed campaign is in no list: there is nothing to keep parked. */
  private verdictOf(campaign: Campaign, nowMs: number): SpendVerdict {
    if (!campaign.isListed) return 'may-spend'
    return this.judge(campaign, campaign.costMicrosMin, nowMs)
  }

  /** The advertiser's day; undefined while the campaign may not spend at all. */
  private today({ isListed, advertiser }: Campaign, nowMs: number): ZoneDay | undefined {
    const zone = isListed ? advertiser!.zone : undefined
    zone?.moveTo(nowMs)
    return zone
  }

  /** The hard gates. What costs nothing always fits. */
  private fits(campaign: Campaign, { day }: ZoneDay, costMicros: number): boolean {
    if (costMicros === 0) return true
    return (
      this.accounts.fits(campaign.owner, day, costMicros) &&
      this.accounts.fits(campaign.advertiser!.owner, day, costMicros) &&
      (this.purse === undefined || this.purse.covers(campaign, day, costMicros))
    )
  }

  private hold(slot: number, order: Order, nowMs: number): void {
    const { campaign, advertiser, day, costMicros } = order
    this.open.write(slot, order)
    if (costMicros > 0) {
      this.accounts.hold(campaign.owner, day, costMicros)
      this.accounts.hold(advertiser.owner, day, costMicros)
      this.purse?.hold(order)
    }
    campaign.reservations++
    this.noteMoney(campaign, advertiser, nowMs)
  }

  private end(slot: number, chargedMicros: number, nowMs: number): void {
    const { campaign, advertiser, day, costMicros } = this.open.orderOf(slot)
    const settlement = { heldMicros: costMicros, chargedMicros }
    this.accounts.settle(campaign.owner, day, settlement)
    this.accounts.settle(advertiser.owner, day, settlement)
    this.open.slots.close(slot)
    campaign.reservations--
    this.noteMoney(campaign, advertiser, nowMs)
    this.forgetIfEmpty(campaign)
  }

  private findOpen(reservationId: string, nowMs: number): number | undefined {
    const slot = this.open.slots.find(reservationId)
    if (slot !== undefined && !this.open.slots.hasEnded(slot, nowMs)) return slot
    this.counts.unknown++
    return undefined
  }

  private giveBackEnded(nowMs = this.clock.now().getTime()): number {
    for (let ended = 0; ended < ENDED_PER_CALL; ended++) {
      const slot = this.open.slots.findEnded(nowMs)
      if (slot === undefined) break
      this.purse?.finish(this.open.orderOf(slot))
      this.end(slot, 0, nowMs)
      this.counts.expired++
    }
    return nowMs
  }

  private noteTerms(campaign: Campaign): void {
    const ofAdvertiser = this.accounts.dailyLimit(campaign.advertiser!.owner)
    campaign.budgetMicros = Math.min(this.accounts.leastLimit(campaign.owner), ofAdvertiser)
    this.purse?.noteCampaign(campaign)
  }

  private noteAll(advertiser: Advertiser): void {
    advertiser.isTight = true
    this.turning.noteAll(advertiser)
  }

  /** All its campaigns turn with an advertiser, so it is noted only near the end of its money. */
  private noteMoney(campaign: Campaign, advertiser: Advertiser, nowMs: number): void {
    if (this.verdictOf(campaign, nowMs) !== campaign.told) this.turning.note(campaign)
    const { owner, zone, costMicrosMax, isTight } = advertiser
    if (zone === undefined) return
    advertiser.isTight = !this.accounts.fits(owner, zone.day, costMicrosMax)
    if (advertiser.isTight || isTight) this.turning.noteAll(advertiser)
  }

  /** Rows may come in any order: whatever names a campaign or an advertiser first makes room. */
  private campaignFor(key: number): Campaign {
    let campaign = this.campaigns.get(key)
    if (campaign === undefined) {
      campaign = new Campaign(key, this.accounts.addOwner())
      this.campaigns.set(key, campaign)
    }
    return campaign
  }

  private advertiserFor(key: number): Advertiser {
    let advertiser = this.advertisers.get(key)
    if (advertiser === undefined) {
      advertiser = new Advertiser(key, this.accounts.addOwner())
      this.advertisers.set(key, advertiser)
    }
    return advertiser
  }

  /** A removed campaign that has spent is remembered: coming back, it must not spend it again. */
  private forgetIfEmpty(campaign: Campaign): void {
    if (campaign.isListed || campaign.reservations > 0) return
    if (!this.accounts.isEmpty(campaign.owner)) return
    campaign.advertiser?.campaigns.delete(campaign)
    this.campaigns.delete(campaign.key)
    this.accounts.dropOwner(campaign.owner)
  }
}

const limit = (micros: number | undefined) =>
  micros === undefined ? undefined : wholeMicros(micros)
