import { judgePacing, type SpendVerdict } from '@placard/decision-engine'
import type { Chance } from '../../platform/chance.ts'
import type { Clock } from '../../platform/clock.ts'
import { Accounts } from './accounts.ts'
import type {
  AccountView,
  AdvertiserTerms,
  BookCounts,
  BookSnapshot,
  BudgetBook,
  CampaignTerms,
  CampaignView,
  Reservation,
  SpentEntry,
} from './book.ts'
import { Advertiser, Campaign, NO_LIMIT, wholeMicros } from './spender.ts'
import { grownFloats, TimedSlots } from './timed-slots.ts'
import { Turning } from './turning.ts'
import { type ZoneDay, ZoneDays } from './zone-day.ts'

export interface BookOptions {
  readonly clock: Clock
  readonly chance: Chance
  /** A campaign is exhausted or ahead of plan, or may spend again. Called by `sweep` only. */
  readonly onVerdictChange?: (campaignKey: number, verdict: SpendVerdict) => void
  /** With more at once, serving refuses: a bound on memory, not on money. */
  readonly reservationsMax?: number
}

export const createBudgetBook = (options: BookOptions): BudgetBook => new MemoryBook(options)

const RESERVATIONS_MAX = 1_000_000
const CAMPAIGNS_PER_SWEEP = 1_000
/** So that a long silence before a decision does not become a long decision. */
const ENDED_PER_CALL = 1_000
/** A held day's account is kept until the day after the next: holds must be shorter. */
const HOLD_MS_MAX = 12 * 3_600_000

class MemoryBook implements BudgetBook {
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

  /** The columns of a reservation: whose money, on which day, and how much. */
  private readonly slots: TimedSlots
  private readonly buyer: Campaign[] = []
  private readonly payer: Advertiser[] = []
  private day = new Float64Array(0)
  private cost = new Float64Array(0)

  /** Filled anew for each question, because an object per candidate would be garbage. */
  private readonly budgetDay = { strategy: 'Smooth' as const, limitMicros: 0, spentMicros: 0 }

  constructor({ clock, chance, onVerdictChange, reservationsMax }: BookOptions) {
    this.clock = clock
    this.onVerdictChange = onVerdictChange ?? (() => {})
    const start = Buffer.from(chance.bytes(6)).toString('base64url')
    this.slots = new TimedSlots({
      prefix: `${start}.`,
      slotsMax: reservationsMax ?? RESERVATIONS_MAX,
    })
  }

  putAdvertiser(terms: AdvertiserTerms): void {
    const advertiser = this.advertiserFor(terms.advertiserKey)
    advertiser.put(terms, this.zones.find(terms.timeZone))
    this.noteAll(advertiser)
  }

  putCampaign(terms: CampaignTerms): void {
    const campaign = this.campaignFor(terms.campaignKey)
    campaign.put(terms)
    campaign.moveTo(this.advertiserFor(terms.advertiserKey))
    this.turning.note(campaign)
  }

  removeCampaign(campaignKey: number): void {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return
    campaign.isListed = false
    this.turning.note(campaign)
    this.forgetIfEmpty(campaign)
  }

  restore(entries: Iterable<SpentEntry>): void {
    for (const entry of entries) {
      const spent = wholeMicros(entry.spentMicros)
      const account = this.accountOf(entry)
      if (account === undefined) continue
      this.accounts.setSpent(account, Math.max(spent, this.accounts.spent(account)))
      if (entry.level === 'advertiser-day') this.noteAll(this.advertiserFor(entry.advertiserKey))
      else this.turning.note(this.campaignFor(entry.campaignKey))
    }
  }

  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict {
    const nowMs = this.giveBackEnded()
    const campaign = this.campaigns.get(campaignKey)
    return campaign === undefined ? 'exhausted' : this.judge(campaign, costMicros, nowMs)
  }

  utilisation(campaignKey: number): number {
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return 0
    const { accounts } = this
    const { dailyLimit, totalLimit } = campaign
    if (dailyLimit !== NO_LIMIT) {
      const zone = this.today(campaign, this.giveBackEnded())
      const account = zone && accounts.findDay(campaign.accounts, zone.day)
      return shareOf(account === undefined ? 0 : accounts.used(account), dailyLimit)
    }
    if (totalLimit === NO_LIMIT) return 0
    return shareOf(accounts.used(accounts.lifetimeOf(campaign.accounts)), totalLimit)
  }

  reserve(order: {
    readonly campaignKey: number
    readonly costMicros: number
    readonly holdMs: number
  }): Reservation | undefined {
    const { campaignKey, holdMs } = order
    const costMicros = wholeMicros(order.costMicros)
    if (holdMs > HOLD_MS_MAX) throw new RangeError(`a hold of ${holdMs} ms outlives its day`)
    const nowMs = this.giveBackEnded()
    const campaign = this.campaigns.get(campaignKey)
    const zone = campaign && this.today(campaign, nowMs)
    if (
      campaign === undefined ||
      zone === undefined ||
      !this.fits(campaign, costMicros, zone.day)
    ) {
      this.counts.refused++
      return undefined
    }
    const slot = this.slots.open(nowMs, holdMs)
    if (slot === undefined) {
      this.counts.refusedFull++
      return undefined
    }
    this.hold(slot, { costMicros, campaign, day: zone.day })
    this.counts.reserved++
    return { id: this.slots.idOf(slot), campaignKey, costMicros }
  }

  confirm(reservationId: string, chargedMicros: number): boolean {
    wholeMicros(chargedMicros)
    const slot = this.findOpen(reservationId)
    if (slot === undefined) return false
    if (chargedMicros > this.cost[slot]!) {
      throw new RangeError(`${chargedMicros} charged, ${this.cost[slot]!} reserved`)
    }
    this.end(slot, chargedMicros)
    this.counts.confirmed++
    return true
  }

  release(reservationId: string): boolean {
    const slot = this.findOpen(reservationId)
    if (slot === undefined) return false
    this.end(slot, 0)
    this.counts.released++
    return true
  }

  sweep(campaignsMax = CAMPAIGNS_PER_SWEEP): number {
    const nowMs = this.giveBackEnded()
    this.turning.noteTime(nowMs)
    for (let looked = 0; looked < campaignsMax; looked++) {
      const campaign = this.turning.take()
      if (campaign === undefined) return 0
      // A removed campaign is in no list: there is nothing to keep parked.
      const verdict = campaign.isListed
        ? this.judge(campaign, campaign.costMin, nowMs)
        : 'may-spend'
      if (this.turning.tell(campaign, verdict)) this.onVerdictChange(campaign.key, verdict)
    }
    return this.turning.size
  }

  findCampaign(campaignKey: number): CampaignView | undefined {
    const nowMs = this.giveBackEnded()
    const campaign = this.campaigns.get(campaignKey)
    if (campaign === undefined) return undefined
    const { advertiser, accounts, dailyLimit, totalLimit } = campaign
    const day = this.today(campaign, nowMs)?.day
    return {
      campaignKey,
      advertiserKey: advertiser?.key,
      day,
      campaignDay: this.viewDay(accounts, day, dailyLimit),
      campaignLifetime: this.view(this.accounts.lifetimeOf(accounts), totalLimit),
      advertiserDay: this.viewDay(advertiser?.accounts, day, advertiser?.dailyLimit),
      reservations: campaign.reservations,
      verdict: this.judge(campaign, campaign.costMin, nowMs),
    }
  }

  snapshot(): BookSnapshot {
    this.giveBackEnded()
    return {
      ...this.counts,
      campaigns: this.campaigns.size,
      advertisers: this.advertisers.size,
      parked: this.turning.parked.size,
      reservations: this.slots.size,
    }
  }

  private judge(campaign: Campaign, costMicros: number, nowMs: number): SpendVerdict {
    const zone = this.today(campaign, nowMs)
    if (zone === undefined || !this.fits(campaign, costMicros, zone.day)) return 'exhausted'
    if (!campaign.isSmooth) return 'may-spend'
    const { budgetDay, accounts } = this
    const account = accounts.findDay(campaign.accounts, zone.day)
    budgetDay.limitMicros = campaign.dailyLimit
    budgetDay.spentMicros = account === undefined ? 0 : accounts.used(account)
    return judgePacing(budgetDay, costMicros, zone.progressAt(nowMs))
  }

  /** Undefined while the campaign may not spend at all. */
  private today({ isListed, advertiser }: Campaign, nowMs: number): ZoneDay | undefined {
    const zone = isListed ? advertiser!.zone : undefined
    zone?.moveTo(nowMs)
    return zone
  }

  /** The hard gates. What costs nothing always fits. */
  private fits(campaign: Campaign, costMicros: number, day: number): boolean {
    if (costMicros === 0) return true
    const { accounts } = this
    const advertiser = campaign.advertiser!
    const campaignDay = accounts.openDay(campaign.accounts, day)
    const advertiserDay = accounts.openDay(advertiser.accounts, day)
    return (
      campaignDay !== undefined &&
      advertiserDay !== undefined &&
      accounts.used(campaignDay) + costMicros <= campaign.dailyLimit &&
      accounts.used(accounts.lifetimeOf(campaign.accounts)) + costMicros <= campaign.totalLimit &&
      accounts.used(advertiserDay) + costMicros <= advertiser.dailyLimit
    )
  }

  private hold(slot: number, order: { costMicros: number; campaign: Campaign; day: number }): void {
    const { costMicros, campaign, day } = order
    const advertiser = campaign.advertiser!
    const { accounts } = this
    if (slot >= this.cost.length) {
      this.cost = grownFloats(this.cost, this.slots.capacity)
      this.day = grownFloats(this.day, this.slots.capacity)
    }
    this.buyer[slot] = campaign
    this.payer[slot] = advertiser
    this.day[slot] = day
    this.cost[slot] = costMicros
    accounts.hold(accounts.lifetimeOf(campaign.accounts), costMicros)
    accounts.hold(accounts.openDay(campaign.accounts, day)!, costMicros)
    accounts.hold(accounts.openDay(advertiser.accounts, day)!, costMicros)
    campaign.reservations++
    this.noteMoney(campaign, advertiser)
  }

  /** What is charged stays with the day and the advertiser that it was held on. */
  private end(slot: number, chargedMicros: number): void {
    const campaign = this.buyer[slot]!
    const advertiser = this.payer[slot]!
    const { accounts } = this
    const day = this.day[slot]!
    const change = { heldMicros: this.cost[slot]!, chargedMicros }
    accounts.settle(accounts.lifetimeOf(campaign.accounts), change)
    const campaignDay = accounts.findDay(campaign.accounts, day)
    const advertiserDay = accounts.findDay(advertiser.accounts, day)
    if (campaignDay !== undefined) accounts.settle(campaignDay, change)
    if (advertiserDay !== undefined) accounts.settle(advertiserDay, change)
    this.slots.close(slot)
    campaign.reservations--
    this.noteMoney(campaign, advertiser)
    this.forgetIfEmpty(campaign)
  }

  private findOpen(reservationId: string): number | undefined {
    const nowMs = this.giveBackEnded()
    const slot = this.slots.find(reservationId)
    if (slot !== undefined && !this.slots.hasEnded(slot, nowMs)) return slot
    this.counts.unknown++
    return undefined
  }

  private giveBackEnded(): number {
    const nowMs = this.clock.now().getTime()
    for (let ended = 0; ended < ENDED_PER_CALL; ended++) {
      const slot = this.slots.findEnded(nowMs)
      if (slot === undefined) break
      this.end(slot, 0)
      this.counts.expired++
    }
    return nowMs
  }

  private noteAll(advertiser: Advertiser): void {
    advertiser.isTight = true
    this.turning.noteAll(advertiser)
  }

  private noteMoney(campaign: Campaign, advertiser: Advertiser): void {
    this.turning.note(campaign)
    this.noteAdvertiser(advertiser)
  }

  /** All its campaigns turn with an advertiser, so it is noted only near the end of its money. */
  private noteAdvertiser(advertiser: Advertiser): void {
    const { dailyLimit, zone, costMax, isTight } = advertiser
    if (dailyLimit === NO_LIMIT || zone === undefined) return
    const account = this.accounts.findDay(advertiser.accounts, zone.day)
    const used = account === undefined ? 0 : this.accounts.used(account)
    advertiser.isTight = used + costMax > dailyLimit
    if (advertiser.isTight || isTight) this.turning.noteAll(advertiser)
  }

  private accountOf(entry: SpentEntry): number | undefined {
    if (entry.level === 'advertiser-day') {
      return this.accounts.openDay(this.advertiserFor(entry.advertiserKey).accounts, entry.day)
    }
    const { accounts } = this.campaignFor(entry.campaignKey)
    return entry.level === 'campaign-day'
      ? this.accounts.openDay(accounts, entry.day)
      : this.accounts.lifetimeOf(accounts)
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
    if (!this.accounts.isEmpty(campaign.accounts)) return
    campaign.advertiser?.campaigns.delete(campaign)
    this.campaigns.delete(campaign.key)
    this.accounts.dropOwner(campaign.accounts)
  }

  private viewDay(
    owner: number | undefined,
    day: number | undefined,
    limit = NO_LIMIT,
  ): AccountView {
    if (owner === undefined || day === undefined) return this.view(undefined, limit)
    return this.view(this.accounts.findDay(owner, day), limit)
  }

  private view(account: number | undefined, limit: number): AccountView {
    return {
      limitMicros: limit === NO_LIMIT ? undefined : limit,
      spentMicros: account === undefined ? 0 : this.accounts.spent(account),
      heldMicros: account === undefined ? 0 : this.accounts.held(account),
    }
  }
}

function shareOf(used: number, limit: number): number {
  return limit === 0 ? 1 : used / limit
}
