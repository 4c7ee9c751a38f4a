import { DAY_MS } from '@placard/calendar'
import type { Context, Decision, Draws, RequestLimits, Shortlist } from '@placard/decision-engine'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { BudgetBook } from '../../budgets/index.ts'
import type { Counters, UserCounts, Visits } from '../../frequency/index.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { HolderLimits } from './holder-limits.ts'
import { type LiveSetting, RequestLive, type HoldTimes } from './request-holds.ts'
import type { MatchKeys, Reader } from '../readers/reader.ts'
import type { SitePacing } from './site-pacing.ts'

export interface ServeDeps {
  readonly catalogue: Catalogue
  readonly budgets: BudgetBook
  readonly counters: Counters
  /** Since when publishers know their readers. Without it nobody is new or known. */
  readonly visits?: Visits | undefined
  /** How long a reader is new. */
  readonly newVisitorMs?: number | undefined
  readonly sitePacing: SitePacing
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly holdTimes?: HoldTimes | undefined
  /** How many holds one reader may begin. */
  readonly holdLimits?: HolderLimits | undefined
  /** What is known about pages before they are requested. */
  readonly pages?: PageIndex | undefined
  /** What a child is not shown. */
  readonly childLimits?: RequestLimits | undefined
}

export interface PageQuery {
  readonly siteKey: number
  readonly url: string
  readonly nowMs: number
  /** HEAD or prefetch: the page has no reader yet. */
  readonly isDry: boolean
  readonly draws: Draws
}

/** A page that the classifier has read. */
export interface KnownPage {
  /** Its address in normal form. */
  readonly url: string
  /** Including their parents. */
  readonly categories: readonly string[]
  /** The relevant ads for a placement of the page. Undefined if there is no fresh shortlist. */
  shortlistOf(placementKey: number): Shortlist | undefined
}

export interface PageIndex {
  /** Undefined if nothing fresh is known about the page. */
  find(page: PageQuery): KnownPage | undefined
  /** These categories and their parents, without duplicates. */
  withParents(categories: readonly string[]): readonly string[]
  /** The key of the page in tracking links. Undefined for an address outside the site. */
  pageKeyOf(siteKey: number, url: string): string | undefined
}

/** Who requests ads, and whether the answer may hold anything. */
export interface AdRequest {
  readonly reader: Reader
  /** Keys by which events without a tracking link find the answer. */
  readonly matchKeys?: MatchKeys | undefined
  /** HEAD or prefetch: nothing is held or recorded. */
  readonly isDry: boolean
}

/** One request on its way to a decision. */
export interface RequestState {
  readonly deps: ServeDeps
  readonly adRequest: AdRequest
  /** The reader's context, with what the page is about once it is known. */
  context: Context
  readonly startedMs: number
  readonly now: Date
  readonly nowMs: number
  readonly userKnown: boolean
  /** What this reader is not shown, whatever the place accepts. */
  readonly limits: RequestLimits | undefined
  readonly seed: number
  fairness: LiveSetting['fairness']
  live: RequestLive | undefined
}

/** A value if the counters are in this process, a promise if they are in Redis. */
export type MaybePromise<Value> = Value | Promise<Value>

export function mapMaybe<Value, Result>(
  value: MaybePromise<Value>,
  map: (value: Value) => Result,
): MaybePromise<Result> {
  return value instanceof Promise ? mapLater(value, map) : map(value)
}

async function mapLater<Value, Result>(
  value: Promise<Value>,
  map: (value: Value) => Result,
): Promise<Result> {
  return map(await value)
}

export const allOf = <Value>(values: readonly MaybePromise<Value>[]): MaybePromise<Value[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as Value[])

const SEEDS = 2 ** 32

export function openRequest(deps: ServeDeps, adRequest: AdRequest): RequestState {
  const now = deps.clock.now()
  return {
    deps,
    adRequest,
    context: contextOf(deps, { context: adRequest.reader.context, page: undefined }),
    startedMs: performance.now(),
    now,
    nowMs: now.getTime(),
    userKnown: adRequest.reader.userKey !== undefined,
    limits: adRequest.reader.permissions.isChild ? deps.childLimits : undefined,
    seed: Math.floor(deps.random.draw() * SEEDS),
    fairness: undefined,
    live: undefined,
  }
}

/**
 * Adds what is known about the page to what the publisher says. Parents are filled in, since the
 * publisher need not know them.
 */
export function contextOf(
  { pages }: Pick<ServeDeps, 'pages'>,
  { context, page }: { readonly context: Context; readonly page: KnownPage | undefined },
): Context {
  const { categories } = context
  const said = categories === undefined ? undefined : (pages?.withParents(categories) ?? categories)
  if (page !== undefined) {
    return {
      ...context,
      page: page.url,
      categories: [...new Set([...page.categories, ...(said ?? [])])],
    }
  }
  return said === undefined ? context : { ...context, categories: said }
}

type Choose = (live: RequestLive) => readonly Decision[]

/**
 * Reads the user's counts and first visit, decides, and holds money and impressions for the winners.
 * `choose` finds the reader's whole context in the state.
 */
export function decideHeld(state: RequestState, choose: Choose): MaybePromise<readonly Decision[]> {
  const { userKey } = state.adRequest.reader
  if (userKey === undefined) return decideCounted(state, undefined, choose)
  // Both are asked before either is awaited: one round trip.
  const counts = state.deps.counters.read(userKey)
  const firstSeenMs = firstSeenMsOf(state.deps, state.adRequest)
  if (counts instanceof Promise || firstSeenMs instanceof Promise) {
    return Promise.all([counts, firstSeenMs]).then(([counts, firstSeenMs]) => {
      state.context = withVisit(state, firstSeenMs)
      return decideCounted(state, counts, choose)
    })
  }
  state.context = withVisit(state, firstSeenMs)
  return decideCounted(state, counts, choose)
}

/** Undefined for a reader without a key, or for whom ads may not be chosen by what is known. */
export function firstSeenMsOf(
  { visits }: Pick<ServeDeps, 'visits'>,
  { reader, isDry }: Pick<AdRequest, 'reader' | 'isDry'>,
): MaybePromise<number | undefined> {
  const { userKey, publisherKey, permissions } = reader
  if (visits === undefined || userKey === undefined || publisherKey === undefined) return undefined
  if (!permissions.mayPersonalise) return undefined
  return visits.see({ userKey, publisherKey }, isDry || !permissions.mayStore)
}

interface VisitMoment extends Pick<RequestState, 'context' | 'nowMs'> {
  readonly deps: Pick<ServeDeps, 'newVisitorMs'>
}

/** What the publisher's server says of its visitor wins. */
export const withVisit = (
  { context, nowMs, deps: { newVisitorMs = DAY_MS } }: VisitMoment,
  firstSeenMs: number | undefined,
): Context =>
  firstSeenMs === undefined || context.newVisitor !== undefined
    ? context
    : { ...context, newVisitor: nowMs - firstSeenMs < newVisitorMs }

function decideCounted(
  state: RequestState,
  counts: UserCounts | undefined,
  choose: Choose,
): MaybePromise<readonly Decision[]> {
  const { deps, adRequest, fairness } = state
  const live = new RequestLive(
    {
      content: deps.catalogue.content,
      budgets: deps.budgets,
      counters: deps.counters,
      holdTimes: deps.holdTimes,
      holdLimits: deps.holdLimits,
      agents: deps.catalogue.index.bidMultipliers,
    },
    {
      counts,
      nowMs: state.nowMs,
      isDry: adRequest.isDry,
      holder: adRequest.reader.holder,
      fairness,
    },
  )
  state.live = live
  const decisions = choose(live)
  return live.isPending ? awaitHolds(live, decisions, choose) : decisions
}

/**
 * Another request of the same user may take the last impression under a cap this many times before
 * we give up.
 */
const RETRIES_MAX = 4

async function awaitHolds(
  live: RequestLive,
  first: readonly Decision[],
  choose: Choose,
): Promise<readonly Decision[]> {
  let decisions = first
  for (let retry = 0; retry < RETRIES_MAX; retry++) {
    if (await live.awaitHolds()) return decisions
    decisions = choose(live)
    if (!live.isPending) return decisions
  }
  if (await live.awaitHolds()) return decisions
  return decisions.map(emptied)
}

const emptied = (decision: Decision): Decision => ({
  ...decision,
  winners: [],
  emptyReason: 'no-candidate',
  needsPlaceholder: true,
})
