import { applyChange, type DecisionIndex, keyedDraw } from '@placard/decision-engine'
import type { ChangeSubscriber } from '../../platform/changes/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { cursorNow } from '../../platform/database/ordered-feed.ts'
import type { Switches } from '../../platform/switches/view.ts'
import type { Timers } from '../../platform/timers.ts'
import type { BudgetBook, CampaignTerms } from '../budgets/index.ts'
import { type AgentRow, listBidding } from './store-agents.ts'
import { LEARNING_SWITCH } from './switches.ts'

/** What the catalogue says to the book. */
export type CatalogueBook = Pick<
  BudgetBook,
  'putAdvertiser' | 'putCampaign' | 'removeCampaign' | 'expectCost'
>

/**
 * Campaigns under a bid agent drop Smooth pacing, so that one controller moves the bid and the hard
 * limit is the only brake. Stands between the catalogue, which knows of no agents, and the book.
 */
export class AgentTerms implements CatalogueBook {
  private readonly book: CatalogueBook
  private readonly terms = new Map<number, CampaignTerms>()
  private readonly agents = new Set<number>()

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
    this.book.putCampaign({ ...terms, hasBidAgent: this.agents.has(terms.campaignKey) })
  }

  removeCampaign(campaignKey: number): void {
    this.terms.delete(campaignKey)
    this.book.removeCampaign(campaignKey)
  }

  setAgent(campaignKey: number, hasAgent: boolean): void {
    if (this.agents.has(campaignKey) === hasAgent) return
    if (hasAgent) this.agents.add(campaignKey)
    else this.agents.delete(campaignKey)
    const terms = this.terms.get(campaignKey)
    if (terms !== undefined) this.putCampaign(terms)
  }
}

/** Who bids for a campaign at a moment, and how much. */
export interface Acting {
  readonly isLearned: boolean
  readonly multiplier: number
}

const AS_BOOKED: Acting = { isLearned: false, multiplier: 1 }
const MINUTE_MS = 60_000
/** An agent that nobody has stepped for so long does not know what it does. */
const STALE_MS = 60 * MINUTE_MS

/**
 * Which policy acts in a minute. A trial has its share of the minutes, drawn by campaign and minute
 * alone: every node draws the same, and a replay knows the chance that it acted with.
 */
export function actingAt(agent: AgentRow, nowMs: number): Acting {
  const { state, steppedAt } = agent
  if (steppedAt === undefined || nowMs - steppedAt.getTime() > STALE_MS) return AS_BOOKED
  const minute = Math.floor(nowMs / MINUTE_MS)
  const isTrial = state.trial !== undefined && keyedDraw(minute, agent.campaignKey) < state.share
  if (isTrial) return { isLearned: true, multiplier: agent.trialMultiplier }
  if (state.base === 'fixed') return AS_BOOKED
  return { isLearned: true, multiplier: agent.baseMultiplier }
}

export interface BidAgentDeps {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly index: DecisionIndex
  readonly terms: AgentTerms
  readonly switches: Switches
}

export interface BidAgents {
  /** Follows the change feed, after the switches. */
  readonly subscriber: ChangeSubscriber
  stop(): void
}

const TICK_MS = 1_000

/** Lets agents bid on this node: their multipliers are in the index, and change with the minute. */
export function followBidAgents(deps: BidAgentDeps): BidAgents {
  const { db, clock, timers, index, terms, switches } = deps
  const agents = new Map<number, AgentRow>()
  let minute = -1

  const act = (agent: AgentRow) => {
    const isOn = switches.isOn(LEARNING_SWITCH.name)
    const { isLearned, multiplier } = isOn ? actingAt(agent, clock.now().getTime()) : AS_BOOKED
    const { campaignKey } = agent
    const wanted = isLearned ? multiplier : undefined
    terms.setAgent(campaignKey, isLearned)
    if (index.bidMultipliers.get(campaignKey) === wanted) return
    applyChange(index, { put: 'bid-multiplier', record: { campaignKey, multiplier: wanted } })
  }
  const actAll = () => {
    minute = Math.floor(clock.now().getTime() / MINUTE_MS)
    for (const agent of agents.values()) act(agent)
  }
  const load = async (campaignKeys?: readonly number[]) => {
    for (const agent of await listBidding(db, campaignKeys)) agents.set(agent.campaignKey, agent)
    actAll()
  }
  let cancel = timers.after(TICK_MS, tick)
  function tick() {
    if (Math.floor(clock.now().getTime() / MINUTE_MS) !== minute) actAll()
    cancel = timers.after(TICK_MS, tick)
  }

  return {
    subscriber: {
      async onChanges(changes) {
        const touched = changes.filter(({ entity }) => entity === 'bid_agents')
        if (touched.length > 0) await load(touched.map(({ entityId }) => Number(entityId)))
        else if (changes.some(({ entity }) => entity === 'switches')) actAll()
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
