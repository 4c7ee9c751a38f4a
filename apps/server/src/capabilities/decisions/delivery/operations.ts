import type { CampaignDelivery, PlacementDelivery } from '@placard/contract/delivery'
import type { LiveState } from '@placard/decision-engine'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { getCampaignKey } from '../../campaigns/index.ts'
import { getPlacementKey } from '../../inventory/index.ts'
import { deliveryFacts, type DeliverySources, type Heard } from './facts.ts'
import { otherChannel, presentCampaign, type Told } from './present.ts'
import { presentPlacement, unknownPlacement } from './present-placement.ts'
import { readerFor } from './reader-for.ts'
import { sampleRequests, type SampledRequest } from './reads-sample.ts'
import { listRules } from './store.ts'

export interface DeliveryDeps {
  readonly db: Database
  readonly clock: Clock
  readonly sources: DeliverySources
  /** With the counts of a reader. */
  liveOf(userKey: string): Promise<LiveState>
}

const REQUESTS_MAX = 1_000
const PLACEMENTS_SAMPLED_MAX = 40
const READERS_MAX = 100
const HOURS = 24

/** Whether a campaign delivers now, with each of its ads and placements. */
export async function campaignDelivery(
  deps: DeliveryDeps,
  principal: Principal,
  campaignId: string,
): Promise<CampaignDelivery> {
  const { db, clock, sources } = deps
  const campaignKey = await getCampaignKey(db, principal, campaignId)
  const now = clock.now()
  const heard = await hear(deps, placementsOf(sources, campaignKey), now)
  const facts = deliveryFacts(sources, campaignKey, {
    nowMs: now.getTime(),
    heardOn: (placementKey) => heard.get(placementKey) ?? [],
  })
  if (facts === undefined) return otherChannel(campaignId)
  const told: Told = {
    sources,
    campaignKey,
    campaignId,
    checkedAt: now,
    showsBids: principal.isPlatform,
    facts,
  }
  return presentCampaign(told, readerFor(await listRules(db, campaignKey)))
}

const placementsOf = ({ content }: DeliverySources, campaignKey: number): number[] =>
  [...content.campaignsOfPlacement]
    .filter(([, campaigns]) => campaigns.has(campaignKey))
    .map(([placementKey]) => placementKey)
    .slice(0, PLACEMENTS_SAMPLED_MAX)

/** The requests of the last day, with the counts of some of their readers as they are now. */
async function hear(
  deps: DeliveryDeps,
  placementKeys: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, readonly Heard[]>> {
  if (placementKeys.length === 0) return new Map()
  const perHour = Math.max(1, Math.floor(REQUESTS_MAX / (HOURS * placementKeys.length)))
  const requests = await sampleRequests(deps.db, { placementKeys, now, perHour })
  const lives = await livesOf(deps, requests)
  const heard = requests.map((request) => {
    const live = lives.get(request.userKey ?? '')
    return live === undefined ? { request } : { request: { ...request, userKnown: true }, live }
  })
  return Map.groupBy(heard, ({ request }) => request.placementKey)
}

async function livesOf(
  { liveOf }: DeliveryDeps,
  requests: readonly SampledRequest[],
): Promise<ReadonlyMap<string, LiveState>> {
  const keys = [...new Set(requests.flatMap(({ userKey }) => userKey ?? []))].slice(0, READERS_MAX)
  return new Map(await Promise.all(keys.map(async (key) => [key, await liveOf(key)] as const)))
}

const CAMPAIGNS_MAX = 500

/** Whether a placement shows ads now, and what holds its campaigns back. */
export async function placementDelivery(
  deps: DeliveryDeps,
  principal: Principal,
  placementId: string,
): Promise<PlacementDelivery> {
  const { db, clock, sources } = deps
  const placementKey = await getPlacementKey(db, principal, placementId)
  const placement = sources.content.placements.get(placementKey)
  if (placement === undefined) return unknownPlacement(placementId)
  const now = clock.now()
  const perHour = Math.floor(REQUESTS_MAX / HOURS)
  const requests = await sampleRequests(db, { placementKeys: [placementKey], now, perHour })
  const campaigns = [...(sources.content.campaignsOfPlacement.get(placementKey) ?? [])]
  const facts = campaigns.slice(0, CAMPAIGNS_MAX).flatMap((campaignKey) => {
    const found = deliveryFacts(sources, campaignKey, {
      nowMs: now.getTime(),
      heardOn: (key) => (key === placementKey ? requests.map((request) => ({ request })) : []),
    })
    const here = found?.chances.filter(({ standing }) => standing.placementKey === placementKey)
    return found === undefined ? [] : [{ ...found, chances: here ?? [] }]
  })
  return presentPlacement({ sources, placementKey, checkedAt: now, requests, facts })
}
