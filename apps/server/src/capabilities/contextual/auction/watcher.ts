import type { Change, ChangeSubscriber } from '../../../platform/changes/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { forEachRow } from '../../../platform/set-aside/set-aside.ts'
import { auctionSiteJob } from './jobs.ts'
import {
  approvalEvent,
  type ApprovalStatus,
  type CampaignFacts,
  type CampaignEvent,
  campaignEventsOf,
  MATRIX,
  type MatrixEvent,
} from './matrix.ts'
import { MARK_MS } from './operations-auction.ts'
import {
  listApprovals,
  listBlockedAds,
  listCampaignFacts,
  listCampaignsOf,
  listExhausted,
} from './reads-facts.ts'
import {
  hasEmptiedPage,
  listSitesWithCandidates,
  markCandidates,
  removeCandidates,
  updatePrices,
} from './store-index.ts'

export interface WatcherDeps {
  readonly db: Database
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** Adds a newly approved creative to the lists of the site's pages. */
  append(siteKey: number, bannerKey: number): Promise<unknown>
  /** Called for each event: metrics and live updates. */
  readonly onEvent?: (event: MatrixEvent) => void
}

/** Events within a second share one auction. */
const DEBOUNCE_SECONDS = 1

const READER = 'contextual.reauction'

/** Compares campaigns with their last reading, and does what the matrix says. */
export class ReauctionWatcher implements ChangeSubscriber {
  private readonly deps: WatcherDeps
  private campaigns = new Map<number, CampaignFacts>()
  private approvals = new Map<number, ApprovalStatus>()
  private exhausted = new Set<number>()

  constructor(deps: WatcherDeps) {
    this.deps = deps
  }

  /** The first reading: gives no events. */
  async load(): Promise<void> {
    const { db, clock } = this.deps
    const now = clock.now()
    this.campaigns = new Map(await listCampaignFacts(db, { campaigns: undefined, now }))
    this.approvals = new Map(
      (await listApprovals(db, undefined)).map(({ approvalKey, status }) => [approvalKey, status]),
    )
    this.exhausted = new Set(await listExhausted(db, now))
  }

  async onReload() {
    const cursor = await cursorNow(this.deps.db)
    await this.load()
    return cursor
  }

  async onChanges(changes: readonly Change[]): Promise<void> {
    const ids = new Map<string, bigint[]>()
    for (const { entity, entityId } of changes) {
      const some = ids.get(entity) ?? []
      ids.set(entity, some)
      some.push(entityId)
    }
    const touched = new Set<number>()
    for (const [entity, some] of ids) {
      for (const key of await listCampaignsOf(this.deps.db, entity, some)) touched.add(key)
    }
    await this.checkCampaigns([...touched])
    await this.checkApprovals(ids.get('creative_approvals') ?? [])
    for (const site of new Set(ids.get('site_ad_product_blocks') ?? [])) {
      await this.blockGrew(Number(site))
    }
  }

  /** Budgets run out and return without a change of the catalogue, so they are polled. */
  async checkBudgets(): Promise<void> {
    const { db, clock } = this.deps
    const now = new Set(await listExhausted(db, clock.now()))
    const changed = [...now, ...this.exhausted].filter(
      (key) => now.has(key) !== this.exhausted.has(key),
    )
    this.exhausted = now
    await this.checkCampaigns(changed)
  }

  private async checkCampaigns(campaigns: readonly number[]): Promise<void> {
    if (campaigns.length === 0) return
    const { db, clock } = this.deps
    const found = await listCampaignFacts(db, { campaigns, now: clock.now() })
    const round = { reader: READER, entity: 'campaigns', rows: campaigns, keyOf: Number }
    await forEachRow({ db, clock }, round, async (key) => {
      const facts = found.get(key)
      const events = campaignEventsOf(this.campaigns.get(key), facts)
      if (facts === undefined) this.campaigns.delete(key)
      else this.campaigns.set(key, facts)
      for (const event of events) await this.act(key, facts, event)
    })
  }

  private async act(
    campaignKey: number,
    facts: CampaignFacts | undefined,
    { event, bannerKey, sites }: CampaignEvent,
  ): Promise<void> {
    const { db, clock } = this.deps
    this.deps.onEvent?.(event)
    const { index, reauction } = MATRIX[event]
    const touching = { campaignKey, bannerKey, siteIds: sites }
    const occupied = await listSitesWithCandidates(db, campaignKey)
    if (index === 'remove') await removeCandidates(db, touching)
    if (index === 'mark') await markCandidates(db, touching, clock.now().getTime() + MARK_MS)
    if (index === 'update-cpm') await updatePrices(db, touching)
    const joined = facts?.sites ?? []
    if (reauction === 'campaign-pages') {
      await this.order(sites ?? [...new Set([...occupied, ...joined])], [campaignKey])
    }
    if (reauction === 'site') await this.order(sites ?? facts?.sites ?? occupied)
    if (reauction === 'sites-with-candidates') await this.order(occupied)
  }

  private async checkApprovals(ids: readonly bigint[]): Promise<void> {
    if (ids.length === 0) return
    const { db } = this.deps
    for (const { approvalKey, siteKey, bannerKey, status } of await listApprovals(db, ids)) {
      const event = approvalEvent(this.approvals.get(approvalKey), status)
      this.approvals.set(approvalKey, status)
      if (event === undefined) continue
      this.deps.onEvent?.(event)
      const { index, reauction } = MATRIX[event]
      if (index === 'remove') await removeCandidates(db, { siteIds: [siteKey], bannerKey })
      if (index === 'append') await this.deps.append(siteKey, bannerKey)
      if (reauction === 'site') await this.order([siteKey])
      if (reauction === 'if-emptied' && (await hasEmptiedPage(db, siteKey))) {
        await this.order([siteKey])
      }
    }
  }

  private async blockGrew(siteKey: number): Promise<void> {
    const { db } = this.deps
    this.deps.onEvent?.('ad-product-blocked')
    const adProductAds = await listBlockedAds(db, siteKey)
    if (adProductAds.length > 0) await removeCandidates(db, { siteIds: [siteKey], adProductAds })
    await this.order([siteKey])
  }

  private async order(sites: readonly number[], campaigns?: readonly number[]): Promise<void> {
    for (const site of sites) {
      const payload = { siteKey: String(site), ...(campaigns && { campaigns: [...campaigns] }) }
      await this.deps.jobs.enqueue(this.deps.db, auctionSiteJob, {
        payload,
        delaySeconds: DEBOUNCE_SECONDS,
      })
    }
  }
}
