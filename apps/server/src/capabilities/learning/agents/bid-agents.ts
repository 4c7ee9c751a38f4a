import { DAY_MS, MINUTE_MS } from '@placard/calendar'
import { applyChange, type DecisionIndex, keyedDraw } from '@placard/decision-engine'
import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Switches } from '../../../platform/switches/view.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { Brake, BudgetBook, CampaignTerms } from '../../budgets/index.ts'
import { type AgentRow, listBidding } from './store-agents.ts'
import type { ClickPredictor } from '../models/predictor.ts'
import { LEARNING_SWITCH } from '../switches.ts'

/** The calls that the catalogue makes on the budget book. */
export type CatalogueBook = Pick<
  BudgetBook,
  'putAdvertiser' | 'putCampaign' | 'removeCampaign' | 'expectCost'
>

/**
 * Replaces Smooth pacing by the agent's brake, so that only one controller plans the day. Sits
 * between the catalogue, which knows no agents, and the budget book.
 */
export class AgentTerms implements CatalogueBook {
  private readonly book: CatalogueBook
  private readonly terms = new Map<number, CampaignTerms>()
  private readonly brakes = new Map<number, Brake>()

  constructor(book: CatalogueBook) {
    this.book = book
  }

  putAdvertiser(...args: Parameters<CatalogueBook['putAdvertiser']>): void {
    this.book.putAdvertiser(...args)
  }

  expectCost(...args: Parameters<CatalogueBook['expectCost']>): void {
    this.book.expectCost(...args)
  }

  putCampaign(terms: CampaignTerms): void {
    this.terms.set(terms.campaignKey, terms)
    this.book.putCampaign({ ...terms, brake: this.brakes.get(terms.campaignKey) })
  }

  removeCampaign(campaignKey: number): void {
    this.terms.delete(campaignKey)
    this.book.removeCampaign(campaignKey)
  }

  /** Undefined: only the catalogue's terms limit the spend. */
  setBrake(campaignKey: number, brake: Brake | undefined): void {
    const before = this.brakes.get(campaignKey)
    if (before?.day === brake?.day && before?.micros === brake?.micros) return
    if (brake === undefined) this.brakes.delete(campaignKey)
    else this.brakes.set(campaignKey, brake)
    const terms = this.terms.get(campaignKey)
    if (terms !== undefined) this.putCampaign(terms)
  }
}

/** The bid adjustment of a campaign at one moment. */
export interface Acting {
  readonly isLearned: boolean
  readonly multiplier: number
  readonly lift: number
  /** The multiplier is one of the campaign's target. */
  readonly byTarget: boolean
}

const AS_BOOKED: Acting = { isLearned: false, multiplier: 1, lift: 1, byTarget: false }
/** An agent without a step for this long is out of date and does not act. */
const STALE_MS = 60 * MINUTE_MS

/**
 * Whether the trial acts in this minute. Drawn from campaign and minute only: every node draws the
 * same, and a judgement knows the probability.
 */
export const actsInMinute = (campaignKey: number, minute: number, share: number): boolean =>
  keyedDraw(minute, campaignKey) < share

export const isStale = ({ steppedAt }: Pick<AgentRow, 'steppedAt'>, nowMs: number): boolean =>
  steppedAt === undefined || nowMs - steppedAt.getTime() > STALE_MS

/**
 * Which policy acts at an instant, and its values. While conversions are not predicted, bids by target
 * are as booked.
 */
export function actingAt(agent: AgentRow, nowMs: number, isPredicted = true): Acting {
  const { state } = agent
  if (isStale(agent, nowMs)) return AS_BOOKED
  const minute = Math.floor(nowMs / MINUTE_MS)
  const isTrial = state.trial !== undefined && actsInMinute(agent.campaignKey, minute, state.share)
  const policy = isTrial ? state.trial : state.base
  const byTarget = policy === 'tcpa'
  if (policy === 'fixed' || (byTarget && !isPredicted)) return AS_BOOKED
  return isTrial
    ? { isLearned: true, multiplier: agent.trialMultiplier, lift: agent.trialLift, byTarget }
    : { isLearned: true, multiplier: agent.baseMultiplier, lift: agent.baseLift, byTarget }
}

const brakeOf = ({ brake }: AgentRow): Brake | undefined =>
  brake && { day: Date.parse(brake.day) / DAY_MS, micros: brake.micros }

export interface BidAgentDeps {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly index: DecisionIndex
  readonly terms: AgentTerms
  readonly switches: Switches
  readonly scorer: Pick<ClickPredictor, 'predictsConversions'>
}

export interface BidAgents {
  /** Follows the change feed, after the switches. */
  readonly subscriber: ChangeSubscriber
  stop(): void
}

const TICK_MS = 1_000

/** Applies agents on this node: writes their multipliers to the index, again every minute. */
export function followBidAgents(deps: BidAgentDeps): BidAgents {
  const { db, clock, timers, index, terms, switches, scorer } = deps
  const agents = new Map<number, AgentRow>()
  let minute = -1
  let before = ''

  const act = (agent: AgentRow) => {
    const acting = switches.isOn(LEARNING_SWITCH.name)
      ? actingAt(agent, clock.now().getTime(), scorer.predictsConversions)
      : AS_BOOKED
    const { campaignKey } = agent
    const { isLearned, lift, byTarget } = acting
    const multiplier = isLearned ? acting.multiplier : undefined
    terms.setBrake(campaignKey, isLearned ? brakeOf(agent) : undefined)
    const isSame =
      index.bidMultipliers.get(campaignKey) === multiplier &&
      (index.bidLifts.get(campaignKey) ?? 1) === lift &&
      index.bidsByTarget.has(campaignKey) === byTarget
    if (isSame) return
    applyChange(index, {
      put: 'bid-multiplier',
      record: { campaignKey, multiplier, lift, byTarget },
    })
  }
  /** What changes who acts, besides the minute. */
  const conditions = () => `${switches.isOn(LEARNING_SWITCH.name)} ${scorer.predictsConversions}`
  const actAll = () => {
    minute = Math.floor(clock.now().getTime() / MINUTE_MS)
    before = conditions()
    for (const agent of agents.values()) act(agent)
  }
  const load = async (campaignKeys?: readonly number[]) => {
    for (const agent of await listBidding(db, campaignKeys)) agents.set(agent.campaignKey, agent)
    actAll()
  }
  let cancel = timers.after(TICK_MS, tick)
  function tick() {
    if (conditions() !== before || Math.floor(clock.now().getTime() / MINUTE_MS) !== minute)
      actAll()
    cancel = timers.after(TICK_MS, tick)
  }

  return {
    subscriber: {
      async onChanges(changes) {
        const touched = changes.filter(({ entity }) => entity === 'bid_agents')
        if (touched.length > 0) await load(touched.map(({ entityId }) => Number(entityId)))
        else if (conditions() !== before) actAll()
      },
      async onReload() {
        const cursor = await cursorNow(db)
        await load()
        return cursor
      },
      onReconcile: () => load(),
    },
    stop: () => cancel(),
  }
}
