import type { Context, Decision, Draws, Shortlist } from '@placard/decision-engine'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { BudgetBook } from '../../budgets/index.ts'
import type { Counters, UserCounts } from '../../frequency/index.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type LiveSetting, RequestLive, type HoldTimes } from './request-holds.ts'
import type { MatchKeys, Reader } from '../readers/reader.ts'
import type { SitePacing } from './site-pacing.ts'

export interface ServeDeps {
  readonly catalogue: Catalogue
  readonly budgets: BudgetBook
  readonly counters: Counters
  readonly sitePacing: SitePacing
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly holdTimes?: HoldTimes | undefined
  /** What was found out about pages before they were asked for. */
  readonly pages?: PageIndex | undefined
}

export interface PageQuery {
  readonly siteKey: number
  readonly url: string
  readonly nowMs: number
  /** HEAD or prefetch: nobody has come yet. */
  readonly isDry: boolean
  readonly draws: Draws
}

/** A page that has been read. */
export interface KnownPage {
  /** Its address in its normal form. */
  readonly url: string
  /** With their parents. */
  readonly categories: readonly string[]
  /** The ads that are relevant to it in a placement; undefined where there are none. */
  shortlistOf(placementKey: number): Shortlist | undefined
}

export interface PageIndex {
  /** Undefined where nothing fresh is known of the page. */
  find(page: PageQuery): KnownPage | undefined
  /** These categories and their parents, each once. */
  withParents(categories: readonly string[]): readonly string[]
  /** What links say of the page; undefined for an address that is none of the site's. */
  pageKeyOf(siteKey: number, url: string): string | undefined
}

/** Who asks, and whether anything may come of it. */
export interface AdRequest {
  readonly reader: Reader
  /** By which events without a link find the answer. */
  readonly matchKeys?: MatchKeys | undefined
  /** HEAD or prefetch: nothing is held and nothing is recorded. */
  readonly isDry: boolean
}

/** One request on its way to a decision. */
export interface RequestState {
  readonly deps: ServeDeps
  readonly adRequest: AdRequest
  /** Of the reader and, on a page, what the page is about. */
  context: Context
  readonly startedMs: number
  readonly now: Date
  readonly nowMs: number
  readonly userKnown: boolean
  readonly seed: number
  fairness: LiveSetting['fairness']
  live: RequestLive | undefined
}

/** At once where counters are in the process, later where they are elsewhere. */
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
    seed: Math.floor(deps.random.draw() * SEEDS),
    fairness: undefined,
    live: undefined,
  }
}

/**
 * What the page is known to be about, beside what its publisher says, who need not know the parents of
 * a category.
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

/** Reads what the user has seen, decides, and holds what was decided. */
export function decideHeld(state: RequestState, choose: Choose): MaybePromise<readonly Decision[]> {
  const { userKey } = state.adRequest.reader
  if (userKey === undefined) return decideCounted(state, undefined, choose)
  const counts = state.deps.counters.read(userKey)
  return counts instanceof Promise
    ? counts.then((counts) => decideCounted(state, counts, choose))
    : decideCounted(state, counts, choose)
}

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
      agents: deps.catalogue.index.bidMultipliers,
    },
    { counts, nowMs: state.nowMs, isDry: adRequest.isDry, fairness },
  )
  state.live = live
  const decisions = choose(live)
  return live.isPending ? awaitHolds(live, decisions, choose) : decisions
}

/** So often another request of the same user may take the last place before we give up. */
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
