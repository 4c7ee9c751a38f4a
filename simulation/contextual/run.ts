import { DAY_MS } from '@placard/calendar'
import {
  type Decision,
  decidePage,
  type Shortlist,
  type ShortlistBid,
  type ShortlistChoice,
  type Winner,
} from '@placard/decision-engine'
import { addFeedback, type Draws, type RankerScore, seededDraws } from '@placard/learning'
import {
  createBudgetBook,
  type BudgetBook,
} from '../../apps/server/src/capabilities/budgets/index.ts'
import {
  AUCTION_DEFAULTS,
  auctionPage,
  indexBids,
} from '../../apps/server/src/capabilities/contextual/auction/auction.ts'
import { weigher } from '../../apps/server/src/capabilities/contextual/auction/weights.ts'
import { ServeMemory } from '../../apps/server/src/capabilities/contextual/serving/serve-memory.ts'
import { totalOf } from '../../apps/server/src/capabilities/contextual/serving/store-ranker.ts'
import {
  RequestLive,
  SitePacing,
  worthOf,
} from '../../apps/server/src/capabilities/decisions/index.ts'
import {
  buildWorld,
  DAY_SECONDS,
  DAYS,
  FLOOR_MICROS,
  PLACEMENT,
  SITE,
  type SimulatedWorld,
} from './world.ts'

export type Policy = 'thompson' | 'random' | 'top-bid'

const VIEWS_PER_SECOND = 100
const AUCTION_EVERY_SECONDS = 25
/** A simulated day is 144 times faster, and so is the hour of a creative. */
const HOURS_PER_DAY = 24
const START_MS = Date.UTC(2026, 0, 5)

export interface Week {
  readonly revenue: number
  readonly clicks: number
  readonly budgetsUsed: number
  readonly over: number
  /** Longest time without an ad while the budget lasted, as a share of a day. */
  readonly blackout: number
}

/** Sends a week of readers through auction, serve index, pacing, engine and budget book. */
export function runWeek(seed: number, policy: Policy, days = DAYS): Week {
  const world = buildWorld(seed)
  let nowMs = START_MS
  const clock = { now: () => new Date(nowMs) }
  const draws = seededDraws(seed + 1)
  const byte = () => Math.floor(draws.next() * 256)
  const random = {
    draw: () => draws.next(),
    bytes: (length: number) => Uint8Array.from({ length }, byte),
  }
  const book = createBudgetBook({ clock, random })
  for (const { campaignKey, dailyMicros } of world.buyers.values())
    putTerms(book, campaignKey, dailyMicros)
  const pacing = new SitePacing({ content: world.content, budgets: book })
  const state = new WeekState(world, { draws, policy })
  const site = {
    key: SITE,
    publicId: 'site',
    accountKey: 1,
    domain: 'gazette.example',
    isActive: true,
    isProven: true,
    timeZone: 'UTC',
    pacing: { dayDurationSeconds: DAY_SECONDS },
  }
  const visit = (second: number) => {
    const { throttle } = pacing.arrive(site, nowMs)
    const live = new RequestLive(
      { content: world.content, budgets: book, counters: undefined as never },
      { counts: undefined, isDry: false },
    )
    const worth = state.serve({ nowMs, second, throttle, live, book })
    if (worth !== undefined) pacing.notePaid(site, worth)
  }
  for (let day = 0; day < days; day++) {
    state.startDay()
    for (let second = 0; second < DAY_SECONDS; second++) {
      if (second % AUCTION_EVERY_SECONDS === 0) state.auction(nowMs, second)
      for (let view = 0; view < VIEWS_PER_SECOND; view++) {
        nowMs = START_MS + day * DAY_MS + second * 1_000 + (view * 1_000) / VIEWS_PER_SECOND
        visit(second)
      }
    }
  }
  return state.sumUp()
}

function putTerms(book: BudgetBook, campaignKey: number, dailyMicros: number): void {
  book.putAdvertiser({ advertiserKey: campaignKey, dailyMicros: undefined, timeZone: 'UTC' })
  book.putCampaign({
    campaignKey,
    advertiserKey: campaignKey,
    dailyMicros,
    totalMicros: undefined,
    strategy: 'Accelerated',
  })
}

interface Serving {
  readonly nowMs: number
  readonly second: number
  readonly throttle: number
  readonly live: RequestLive
  readonly book: BudgetBook
}

class WeekState {
  private readonly world: SimulatedWorld
  private readonly draws: Draws
  private readonly policy: Policy
  private readonly memory = new ServeMemory()
  private readonly scores = new Map<string, RankerScore>()
  private readonly hours = new Map<number, { impressions: number; clicks: number }>()
  private spent = new Map<number, number>()
  private lastServed = 0
  private revenue = 0
  private clicks = 0
  private readonly used: number[] = []
  private over = 0
  private blackout = 0
  private version = 0

  constructor(world: SimulatedWorld, { draws, policy }: { draws: Draws; policy: Policy }) {
    this.world = world
    this.draws = draws
    this.policy = policy
    this.memory.putRules(SITE, { domain: 'site.example', keepUrlQueries: false, accountKey: 1 })
  }

  startDay(): void {
    if (this.spent.size > 0) this.closeDay()
    this.spent = new Map()
    this.lastServed = 0
  }

  auction(nowMs: number, second: number): void {
    const bids = indexBids(this.world.bids, AUCTION_DEFAULTS)
    const weightOf = weigher(
      {
        ids: [...this.scores.keys()],
        of: (theme) => ({ site: this.scores.get(theme), everywhere: undefined }),
        total: { site: totalOf([...this.scores.values()], nowMs), everywhere: undefined },
      },
      { nowMs, draws: this.draws },
    )
    const standing = indexBids(
      this.world.bids.map((bid) => ({
        ...bid,
        isExhausted: this.left(bid.campaignKey) < bid.cpmMicros / 1_000,
      })),
    )
    this.version++
    for (const { url, theme, sure } of this.world.pages) {
      const candidates = auctionPage(
        {
          bids: standing.size > 0 ? standing : bids,
          categories: new Map([[theme, sure]]),
          weightOf,
          previous: undefined,
          reasonOf: () => undefined,
          untilMs: nowMs + DAY_MS,
          nowMs,
        },
        { ...AUCTION_DEFAULTS, keepAll: true },
      )
      this.memory.put({
        siteKey: SITE,
        url,
        version: this.version,
        classifiedAtMs: nowMs,
        isCorrected: true,
        expiresAtMs: nowMs + 2 * DAY_MS,
        categories: [theme],
        candidates,
      })
    }
    if (second % (DAY_SECONDS / HOURS_PER_DAY) === 0) this.fade()
    this.memory.setHours(new Map(this.hours))
  }

  /** A rolling hour: older events count less and less. */
  private fade(): void {
    for (const hour of this.hours.values()) {
      hour.impressions *= 0.9
      hour.clicks *= 0.9
      if (hour.impressions < 1) hour.impressions = hour.clicks = 0
    }
  }

  /** Expected revenue of the request. Undefined if pacing left it empty. */
  serve({ nowMs, second, throttle, live, book }: Serving): number | undefined {
    const page = this.world.pages[Math.floor(this.draws.next() * this.world.pages.length)]!
    const query = { siteKey: SITE, url: page.url, nowMs, isDry: false, draws: this.draws }
    const shortlist = this.memory.find(query)?.shortlistOf(PLACEMENT)
    const request = {
      siteKey: SITE,
      nowMs,
      userKnown: false,
      context: { categories: [page.theme] },
      throttle,
      slots: [{ placementKey: PLACEMENT, shortlist: shortlist && this.under(shortlist) }],
    }
    const [decision] = decidePage(this.world.index, request, { live, draws: this.draws })
    this.take(decision!, { page, second, live, book, nowMs })
    return decision!.emptyReason === 'site-paced' ? undefined : worthOf([decision!])
  }

  /** The compared policy chooses instead, and pays the next lower bid. */
  private under(shortlist: Shortlist): Shortlist {
    if (this.policy === 'thompson') return shortlist
    return { ...shortlist, choose: (bids) => this.chooseSimply(bids) }
  }

  private chooseSimply(bids: readonly ShortlistBid[]): ShortlistChoice {
    const ordered = [...bids.keys()].toSorted((a, b) => bids[b]!.cpmMicros - bids[a]!.cpmMicros)
    const place = this.policy === 'random' ? Math.floor(this.draws.next() * ordered.length) : 0
    const next = ordered[place + 1]
    return {
      at: ordered[place]!,
      clearingCpmMicros: next === undefined ? FLOOR_MICROS : bids[next]!.cpmMicros,
      propensity: 1,
    }
  }

  private take(
    decision: Decision,
    at: {
      page: { theme: string }
      second: number
      live: RequestLive
      book: BudgetBook
      nowMs: number
    },
  ): void {
    const [winner] = decision.winners
    if (winner === undefined) {
      if (this.moneyLeft() > 0.05) {
        this.blackout = Math.max(this.blackout, (at.second - this.lastServed) / DAY_SECONDS)
      }
      return
    }
    this.lastServed = at.second
    const { rate } = this.world.creatives.get(winner.key)!
    const fits = this.world.buyers.get(winner.campaignKey!)!.theme === at.page.theme
    const isClicked = this.draws.next() < (fits ? rate : rate / 4)
    this.charge(winner, isClicked, at)
    this.learn(winner, { theme: at.page.theme, isClicked, nowMs: at.nowMs })
  }

  /** Charges the whole amount or nothing, like settlement. */
  private charge(
    winner: Winner,
    isClicked: boolean,
    { live, book }: { live: RequestLive; book: BudgetBook },
  ): void {
    const { reservation } = live.reservedFor(winner)
    const micros =
      winner.pricing === 'cpm'
        ? Math.round(winner.chargeMicros / 1_000)
        : isClicked
          ? winner.chargeMicros
          : 0
    const mayPay = micros <= this.left(winner.campaignKey!)
    const paid = mayPay ? micros : 0
    if (reservation !== undefined) {
      book.release(reservation.id)
      if (paid > 0)
        book.charge({ campaignKey: winner.campaignKey!, day: reservation.day, micros: paid })
    }
    this.spent.set(winner.campaignKey!, (this.spent.get(winner.campaignKey!) ?? 0) + paid)
    this.revenue += paid
    if (isClicked) this.clicks++
  }

  private learn(
    winner: Winner,
    { theme, isClicked, nowMs }: { theme: string; isClicked: boolean; nowMs: number },
  ): void {
    const hour = this.hours.get(winner.bannerKey) ?? { impressions: 0, clicks: 0 }
    this.hours.set(winner.bannerKey, hour)
    hour.impressions++
    if (isClicked) hour.clicks++
    const batch = { impressions: 1, clicks: isClicked ? 1 : 0, revenue: 0, atMs: nowMs }
    this.scores.set(theme, addFeedback(this.scores.get(theme), batch))
  }

  private left(campaignKey: number): number {
    return this.world.buyers.get(campaignKey)!.dailyMicros - (this.spent.get(campaignKey) ?? 0)
  }

  private moneyLeft(): number {
    let left = 0
    let whole = 0
    for (const { campaignKey, dailyMicros } of this.world.buyers.values()) {
      left += this.left(campaignKey)
      whole += dailyMicros
    }
    return left / whole
  }

  private closeDay(): void {
    this.used.push(1 - this.moneyLeft())
    for (const key of this.world.buyers.keys()) if (this.left(key) < -1e-6) this.over++
  }

  sumUp(): Week {
    this.closeDay()
    return {
      revenue: Math.round(this.revenue) / 1e6,
      clicks: this.clicks,
      budgetsUsed: this.used.reduce((sum, share) => sum + share, 0) / this.used.length,
      over: this.over,
      blackout: this.blackout,
    }
  }
}
