import type { Clock } from '../../../platform/clock.ts'
import type { Load } from '../../../platform/background/load.ts'
import { startLoop } from '../../../platform/background/loop.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { deliveryFacts, type DeliverySources, type Heard } from './facts.ts'
import { sampleRequests } from './reads-sample.ts'
import { claimChecks, type DeliveryRow, releaseChecks, saveDelivery } from './store.ts'
import { judgeDelivery } from './verdict.ts'
import { sayVerdict } from './words.ts'

export interface KeeperDeps {
  readonly db: Database
  readonly clock: Clock
  readonly load: Pick<Load, 'run'>
  readonly node: string
  readonly sources: DeliverySources
}

/** One node checks for all. */
const CLAIM_SECONDS = 60
const CHECK_MS = 15_000
/** A node that has just started has other things to do. */
const FIRST_CHECK_MS = 1_500
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }
/** So that a pass over very many campaigns stays cheap: they take turns. */
const CAMPAIGNS_PER_CHECK = 3_000
const CAMPAIGNS_PER_PIECE = 20
const PLACEMENTS_PER_READ = 40
const PLACEMENTS_KEPT = 2_000
const PER_HOUR = 2
const SAMPLE_MS = 600_000
const EMPTY_SAMPLE_MS = 30_000
const REWRITE_MS = 30_000
/** With more campaigns, unchanged rows are written less often: 100 a second. */
const REWRITE_MS_PER_CAMPAIGN = 10

interface Sample {
  readonly heard: readonly Heard[]
  readonly readMs: number
}

/** Keeps the state of every running campaign for lists and filters. */
export class DeliveryKeeper {
  private readonly deps: KeeperDeps
  private readonly samples = new Map<number, Sample>()
  /** What was written last. */
  private readonly written = new Map<number, DeliveryRow>()
  private lastKey = 0

  constructor(deps: KeeperDeps) {
    this.deps = deps
  }

  /** Checks the next campaigns. Returns how many; none while another node checks. */
  async check(): Promise<number> {
    const { db, node, load } = this.deps
    if (!(await claimChecks(db, { node, seconds: CLAIM_SECONDS }))) return 0
    const running = await load.run(() => this.running())
    const next = [
      ...running.filter((key) => key > this.lastKey),
      ...running.filter((key) => key <= this.lastKey),
    ].slice(0, CAMPAIGNS_PER_CHECK)
    this.lastKey = next.at(-1) ?? 0
    await this.sampleFor(next)
    const rewriteMs = Math.max(REWRITE_MS, running.length * REWRITE_MS_PER_CAMPAIGN)
    for (let at = 0; at < next.length; at += CAMPAIGNS_PER_PIECE) {
      await this.checkPiece(next.slice(at, at + CAMPAIGNS_PER_PIECE), rewriteMs)
    }
    return next.length
  }

  /** Keys of the campaigns that run, in their order. What was written of others is forgotten. */
  private running(): number[] {
    const { campaigns } = this.deps.sources.content
    for (const key of this.written.keys()) {
      if (campaigns.get(key)?.isActive !== true) this.written.delete(key)
    }
    const keys: number[] = []
    for (const [key, { isActive }] of campaigns) if (isActive) keys.push(key)
    return keys.toSorted((a, b) => a - b)
  }

  /** Another node may check at once. */
  giveUp(): Promise<void> {
    return releaseChecks(this.deps.db, this.deps.node)
  }

  private async checkPiece(keys: readonly number[], rewriteMs: number): Promise<void> {
    const { db, load } = this.deps
    const rows = await load.run(() => keys.flatMap((key) => this.judge(key) ?? []))
    const changed = rows.filter((row) => this.isNews(row, rewriteMs))
    if (changed.length === 0) return
    await saveDelivery(db, changed)
    for (const row of changed) this.written.set(row.campaignKey, row)
  }

  private isNews(row: DeliveryRow, rewriteMs: number): boolean {
    const before = this.written.get(row.campaignKey)
    if (before?.state !== row.state || before.text !== row.text) return true
    return row.checkedAt.getTime() - before.checkedAt.getTime() >= rewriteMs
  }

  private judge(campaignKey: number): DeliveryRow | undefined {
    const { clock, sources } = this.deps
    const checkedAt = clock.now()
    const facts = deliveryFacts(sources, campaignKey, {
      nowMs: checkedAt.getTime(),
      heardOn: (placementKey) => this.samples.get(placementKey)?.heard ?? [],
    })
    if (facts === undefined) return undefined
    const verdict = judgeDelivery(facts)
    const { content } = sources
    const text = sayVerdict(verdict, {
      of: 'campaign',
      content,
      currency: content.campaigns.get(campaignKey)?.currency,
      chances: facts.chances,
      showsBids: false,
      startsAtMs: content.campaigns.get(campaignKey)?.startsAtMs ?? undefined,
    })
    return { campaignKey, state: verdict.state, code: verdict.code, text, checkedAt }
  }

  /** Reads the requests of the placements that these campaigns are booked on, where they are old. */
  private async sampleFor(campaignKeys: readonly number[]): Promise<void> {
    const { db, clock, sources } = this.deps
    const now = clock.now()
    const wanted = placementsOf(sources, campaignKeys).filter((key) =>
      isOld(this.samples.get(key), now.getTime()),
    )
    for (let at = 0; at < wanted.length; at += PLACEMENTS_PER_READ) {
      const placementKeys = wanted.slice(at, at + PLACEMENTS_PER_READ)
      const requests = await sampleRequests(db, { placementKeys, now, perHour: PER_HOUR })
      const found = Map.groupBy(requests, ({ placementKey }) => placementKey)
      for (const key of placementKeys) {
        const heard = (found.get(key) ?? []).map((request) => ({ request }))
        this.samples.delete(key)
        this.samples.set(key, { heard, readMs: now.getTime() })
      }
    }
    for (const key of this.samples.keys()) {
      if (this.samples.size <= PLACEMENTS_KEPT) break
      this.samples.delete(key)
    }
  }
}

/** Checks every few seconds, as long as the node runs. */
export function keepChecking(
  keeper: Pick<DeliveryKeeper, 'check' | 'giveUp'>,
  { timers, onError }: { readonly timers: Timers; onError(error: unknown): void },
): { stop(): Promise<void> } {
  let isFirst = true
  const loop = startLoop({
    timers,
    backoff: BACKOFF,
    onError,
    async iterate() {
      if (!isFirst) await keeper.check()
      const pauseMs = isFirst ? FIRST_CHECK_MS : CHECK_MS
      isFirst = false
      return pauseMs
    },
  })
  return {
    async stop() {
      await loop.stop()
      await keeper.giveUp().catch(onError)
    },
  }
}

function placementsOf({ index }: DeliverySources, campaignKeys: readonly number[]): number[] {
  const keys = new Set<number>()
  for (const campaignKey of campaignKeys) {
    const campaign = index.campaignRows.get(campaignKey)
    const rows = campaign === undefined ? [] : index.campaignDetails[campaign]!.placements
    for (const row of rows) {
      const key = index.placements[row]!.record?.key
      if (key !== undefined) keys.add(key)
    }
  }
  return [...keys]
}

const isOld = (sample: Sample | undefined, nowMs: number): boolean =>
  sample === undefined ||
  nowMs - sample.readMs >= (sample.heard.length === 0 ? EMPTY_SAMPLE_MS : SAMPLE_MS)
