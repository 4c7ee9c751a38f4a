import { DAY_MS } from '@placard/calendar'
import type { SpendVerdict } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import type {
  AdvertiserTerms,
  CampaignTerms,
  CampaignView,
  ReserveRequest,
  SpentEntry,
} from './book.ts'
import type { Holder } from './hold-share.ts'

const QUARTER_MS = 900_000

/** One line of the log: money held, then charged or given back. */
interface Entry {
  readonly campaignKey: number | undefined
  readonly advertiserKey: number | undefined
  readonly day: number | undefined
  heldMicros: number
  spentMicros: number
  endsAtMs: number
  /** Whose hold it is, where the rules for holders applied. */
  readonly holder?: Holder | undefined
}

export type Levels = Pick<
  CampaignView,
  'day' | 'campaignDay' | 'campaignLifetime' | 'advertiserDay'
>

type Level = 'campaign-day' | 'campaign-lifetime' | 'advertiser-day'

/**
 * The rules of the book, slow and plain: a log of everything, added up for each question. Tests
 * compare it with the book.
 */
export class ReferenceBook {
  private readonly clock: Clock
  private readonly advertisers = new Map<number, AdvertiserTerms>()
  private readonly campaigns = new Map<number, CampaignTerms>()
  private readonly log: Entry[] = []
  /** When a holder got the last showing of a campaign. */
  private readonly lastShowings = new Map<string, number>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  putAdvertiser(terms: AdvertiserTerms): void {
    this.advertisers.set(terms.advertiserKey, terms)
  }

  putCampaign(terms: CampaignTerms): void {
    this.campaigns.set(terms.campaignKey, terms)
  }

  removeCampaign(campaignKey: number): void {
    this.campaigns.delete(campaignKey)
  }

  isListed(campaignKey: number): boolean {
    return this.campaigns.has(campaignKey)
  }

  /** Raises the spend to the entry's amount. */
  restore(entry: SpentEntry): void {
    const campaignKey = 'campaignKey' in entry ? entry.campaignKey : undefined
    const advertiserKey = 'advertiserKey' in entry ? entry.advertiserKey : undefined
    const day = 'day' in entry ? entry.day : undefined
    const key = campaignKey ?? advertiserKey!
    const missing = entry.spentMicros - this.spent(entry.level, key, day)
    if (missing <= 0) return
    const topUp = { heldMicros: 0, spentMicros: missing, endsAtMs: 0 }
    this.log.push({ campaignKey, advertiserKey, day, ...topUp })
  }

  /** Returns the entry's index in the log. */
  reserve(order: ReserveRequest): number | undefined {
    const { campaignKey, costMicros, holdMs } = order
    const terms = this.campaigns.get(campaignKey)
    if (terms === undefined || !this.fits(terms, costMicros)) return undefined
    const { advertiserKey } = terms
    const day = this.dayOf(terms)
    const holder = costMicros > 0 && this.isLimited(terms) ? order.holder : undefined
    if (holder !== undefined && !this.mayHold(terms, { ...order, holder })) return undefined
    const endsAtMs = this.nowMs() + holdMs
    const money = { heldMicros: costMicros, spentMicros: 0, endsAtMs }
    return this.log.push({ campaignKey, advertiserKey, day, ...money, holder }) - 1
  }

  private isLimited({ advertiserKey, dailyMicros, totalMicros }: CampaignTerms): boolean {
    const ofAdvertiser = this.advertisers.get(advertiserKey)!.dailyMicros
    return [dailyMicros, totalMicros, ofAdvertiser].some((limit) => limit !== undefined)
  }

  /** A tenth for one holder, half for all that nothing vouches for, but one showing always. */
  private mayHold(
    terms: CampaignTerms,
    { holder, costMicros, nextCostMicros = 0 }: ReserveRequest & { readonly holder: Holder },
  ): boolean {
    const { campaignKey, advertiserKey, dailyMicros, totalMicros } = terms
    const day = this.dayOf(terms)
    const usedToday = this.used('campaign-day', campaignKey, day)
    const ofCampaign = Math.min(
      (dailyMicros ?? Infinity) - usedToday,
      (totalMicros ?? Infinity) - this.used('campaign-lifetime', campaignKey, day),
      this.allowed(terms, dailyMicros) - usedToday,
    )
    const limit = this.advertisers.get(advertiserKey)!.dailyMicros ?? Infinity
    const ofAdvertiser = limit - this.used('advertiser-day', advertiserKey, day)
    const isShared = [
      { free: ofCampaign, open: this.openOf((entry) => entry.campaignKey === campaignKey) },
      { free: ofAdvertiser, open: this.openOf((entry) => entry.advertiserKey === advertiserKey) },
    ].every(({ free, open }) => {
      const own = sumOf(open.filter((entry) => entry.holder?.number === holder.number))
      const all = sumOf(open.filter((entry) => entry.holder?.isVouched === false))
      const fitsOwn = own === 0 || own + costMicros <= 0.1 * (free + own)
      return fitsOwn && (holder.isVouched || all === 0 || all + costMicros <= 0.5 * (free + all))
    })
    if (!isShared) return false
    if (Math.min(ofCampaign, ofAdvertiser) - costMicros >= nextCostMicros) return true
    const name = `${holder.number} ${campaignKey}`
    const before = this.lastShowings.get(name) ?? -Infinity
    if (this.nowMs() - before < 600_000) return false
    this.lastShowings.set(name, this.nowMs())
    return true
  }

  private openOf(isOf: (entry: Entry) => boolean): Entry[] {
    return this.log.filter((entry) => isOf(entry) && entry.endsAtMs > this.nowMs())
  }

  /** False if it has ended before. */
  end(place: number, chargedMicros: number): boolean {
    const entry = this.log[place]!
    if (entry.endsAtMs <= this.nowMs()) return false
    entry.spentMicros = chargedMicros
    entry.endsAtMs = 0
    return true
  }

  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict {
    const terms = this.campaigns.get(campaignKey)
    if (terms === undefined || !this.fits(terms, costMicros)) return 'exhausted'
    const { dailyMicros } = terms
    if (costMicros === 0) return 'may-spend'
    const used = this.used('campaign-day', campaignKey, this.dayOf(terms))
    return used + costMicros <= this.allowed(terms, dailyMicros) ? 'may-spend' : 'ahead-of-plan'
  }

  private allowed(terms: CampaignTerms, dailyMicros: number | undefined): number {
    if (terms.brake?.day === this.dayOf(terms)) return terms.brake!.micros
    if (terms.strategy === 'Accelerated' || dailyMicros === undefined) return Infinity
    const { hour, hours } = hourOfDay(this.zoneOf(terms)!, this.nowMs())
    return Math.floor((dailyMicros * hour * 1.2) / hours)
  }

  /** Limit, spent and held at the three levels. Undefined if the campaign cannot spend. */
  levels(campaignKey: number): Levels | undefined {
    const terms = this.campaigns.get(campaignKey)
    const day = terms && this.dayOf(terms)
    if (terms === undefined || day === undefined) return undefined
    const { advertiserKey, dailyMicros, totalMicros } = terms
    const view = (limitMicros: number | undefined, level: Level, key: number) => ({
      limitMicros,
      spentMicros: this.spent(level, key, day),
      heldMicros: this.held(level, key, day),
    })
    return {
      day,
      campaignDay: view(dailyMicros, 'campaign-day', campaignKey),
      campaignLifetime: view(totalMicros, 'campaign-lifetime', campaignKey),
      advertiserDay: view(
        this.advertisers.get(advertiserKey)!.dailyMicros,
        'advertiser-day',
        advertiserKey,
      ),
    }
  }

  private fits(terms: CampaignTerms, costMicros: number): boolean {
    const { campaignKey, advertiserKey, dailyMicros, totalMicros } = terms
    const day = this.dayOf(terms)
    if (day === undefined) return false
    if (costMicros === 0) return true
    const left = (limit: number | undefined, level: Level, key: number) =>
      (limit ?? Infinity) - this.used(level, key, day)
    const advertiserLimit = this.advertisers.get(advertiserKey)!.dailyMicros
    return (
      left(dailyMicros, 'campaign-day', campaignKey) >= costMicros &&
      left(totalMicros, 'campaign-lifetime', campaignKey) >= costMicros &&
      left(advertiserLimit, 'advertiser-day', advertiserKey) >= costMicros
    )
  }

  private used(level: Level, key: number, day: number | undefined): number {
    return this.spent(level, key, day) + this.held(level, key, day)
  }

  private spent(level: Level, key: number, day: number | undefined): number {
    return this.entriesOf(level, key, day).reduce((sum, entry) => sum + entry.spentMicros, 0)
  }

  private held(level: Level, key: number, day: number | undefined): number {
    return this.entriesOf(level, key, day)
      .filter((entry) => entry.endsAtMs > this.nowMs())
      .reduce((sum, entry) => sum + entry.heldMicros, 0)
  }

  /** A restored entry has one level: it lacks the advertiser, the campaign or the day. */
  private entriesOf(level: Level, key: number, day: number | undefined): Entry[] {
    return this.log.filter((entry) => {
      const isRestored = entry.campaignKey === undefined || entry.advertiserKey === undefined
      if (level === 'advertiser-day') return entry.advertiserKey === key && entry.day === day
      if (entry.campaignKey !== key) return false
      if (level === 'campaign-day') return entry.day === day
      return !isRestored || entry.day === undefined
    })
  }

  private dayOf(terms: CampaignTerms): number | undefined {
    const zone = this.zoneOf(terms)
    return zone === undefined ? undefined : dateIn(zone, this.nowMs())
  }

  private zoneOf({ advertiserKey }: CampaignTerms): string | undefined {
    return this.advertisers.get(advertiserKey)?.timeZone
  }

  private nowMs(): number {
    return this.clock.now().getTime()
  }
}

const sumOf = (entries: readonly Entry[]) =>
  entries.reduce((sum, { heldMicros }) => sum + heldMicros, 0)

const calendars = new Map<string, Map<number, number>>()

/** The calendar date as days since 1970-01-01, cached per quarter of an hour. */
function dateIn(timeZone: string, ms: number): number {
  const calendar = calendars.get(timeZone) ?? new Map<number, number>()
  calendars.set(timeZone, calendar)
  const quarter = Math.floor(ms / QUARTER_MS)
  const known = calendar.get(quarter)
  if (known !== undefined) return known
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms)
  calendar.set(quarter, Date.parse(date) / DAY_MS)
  return Date.parse(date) / DAY_MS
}

/**
 * The hour of the day, from 1, and the number of hours in the day, found by walking to both ends.
 */
function hourOfDay(timeZone: string, ms: number): { hour: number; hours: number } {
  const today = dateIn(timeZone, ms)
  const now = Math.floor(ms / QUARTER_MS) * QUARTER_MS
  let start = now
  while (dateIn(timeZone, start - QUARTER_MS) === today) start -= QUARTER_MS
  let end = now
  while (dateIn(timeZone, end) === today) end += QUARTER_MS
  const hours = (end - start) / (4 * QUARTER_MS)
  return { hour: Math.floor((ms - start) / (4 * QUARTER_MS)) + 1, hours }
}
